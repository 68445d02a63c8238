"""A network of two layers for points on two spirals, in float32: backpropagation by hand, mini-batches, Adam."""

import dpnp as np


def spirals(rng, count):
    label = np.arange(count) % 2
    radius = np.sqrt(rng.random(count))
    angle = 6.0 * radius + np.pi * label
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    points += 0.05 * (rng.random((count, 2)) - 0.5)
    return points.astype(np.float32), label


def forward(x, parameters):
    w1, b1, w2, b2 = parameters
    hidden = np.maximum(x @ w1 + b1, 0)
    score = hidden @ w2 + b2
    score = score - score.max(axis=1, keepdims=True)
    probability = np.exp(score)
    probability /= probability.sum(axis=1, keepdims=True)
    return hidden, probability


def gradients(x, label, parameters):
    hidden, probability = forward(x, parameters)
    loss = -np.log(probability[np.arange(len(label)), label]).mean()
    d_score = probability.copy()
    d_score[np.arange(len(label)), label] -= 1
    d_score /= len(label)
    d_hidden = d_score @ parameters[2].T
    d_hidden[hidden <= 0] = 0
    return loss, [x.T @ d_hidden, d_hidden.sum(axis=0), hidden.T @ d_score, d_score.sum(axis=0)]


def main(count=4000, width=128, epochs=15, batch=200, rate=0.01, seed=19):
    rng = np.random.default_rng(seed)
    x, label = spirals(rng, count)
    w1 = (2.0 * rng.random((2, width)) - 1.0).astype(np.float32)
    w2 = (0.2 * rng.random((width, 2)) - 0.1).astype(np.float32)
    parameters = [w1, np.zeros(width, dtype=np.float32), w2, np.zeros(2, dtype=np.float32)]
    mean = [np.zeros_like(p) for p in parameters]
    square = [np.zeros_like(p) for p in parameters]
    losses, t = [], 0
    for _ in range(epochs):
        order = rng.permutation(count)
        total = 0.0
        for start in range(0, count, batch):
            rows = order[start : start + batch]
            loss, gradient = gradients(x[rows], label[rows], parameters)
            total += float(loss)
            t += 1
            for p, g, m, v in zip(parameters, gradient, mean, square):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                p -= rate * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        losses.append(total * batch / count)
    _, probability = forward(x, parameters)
    accuracy = np.mean(np.argmax(probability, axis=1) == label)
    return {"losses": np.array(losses), "accuracy": accuracy}


SMALL = {"count": 40, "width": 8, "epochs": 2, "batch": 10}
TOLERANCE = 0.05  # in float32, and each step amplifies differences

if __name__ == "__main__":
    results = main()
    print(f"Accuracy: {float(results['accuracy']):.3f}")
