"""Logistic regression with a ridge penalty: gradient descent with momentum, and Newton's method for comparison."""

import dpnp as np


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def loss(weights, features, labels, penalty):
    margin = features @ weights
    return np.mean(np.logaddexp(0.0, margin) - labels * margin) + 0.5 * penalty * weights @ weights


def main(count=100_000, columns=10, rounds=100, rate=1.0, penalty=1e-3, seed=9):
    rng = np.random.default_rng(seed)
    features = np.column_stack([np.ones(count), rng.random((count, columns)) - 0.5])
    truth = np.linspace(-3.0, 3.0, columns + 1)
    labels = (rng.random(count) < sigmoid(features @ truth)).astype(float)

    weights, velocity = np.zeros(columns + 1), np.zeros(columns + 1)
    history = []
    for _ in range(rounds):
        error = sigmoid(features @ weights) - labels
        gradient = features.T @ error / count + penalty * weights
        velocity = 0.9 * velocity - rate * gradient
        weights = weights + velocity
        history.append(loss(weights, features, labels, penalty))

    newton = np.zeros(columns + 1)
    for _ in range(6):
        probability = sigmoid(features @ newton)
        gradient = features.T @ (probability - labels) / count + penalty * newton
        curvature = (features.T * (probability * (1.0 - probability))) @ features / count
        newton -= np.linalg.solve(curvature + penalty * np.eye(columns + 1), gradient)
    accuracy = np.mean((sigmoid(features @ newton) > 0.5) == (labels == 1.0))
    return {"weights": weights, "newton": newton, "loss": np.array([float(x) for x in history]), "accuracy": accuracy}


SMALL = {"count": 200, "columns": 3, "rounds": 10}

if __name__ == "__main__":
    results = main()
    print(f"Loss: {float(results['loss'][-1]):.5f}, accuracy: {float(results['accuracy']):.3f}")
