"""A spectrogram in decibels of a chirp with clicks, and its dominant frequency over time, by overlapping windows."""

import dpnp as np
from dpnp.lib.stride_tricks import sliding_window_view


def spectrogram(signal, width, hop):
    """Return powers of shape (frequencies, frames)."""
    frames = sliding_window_view(signal, width)[::hop]
    windowed = (frames - frames.mean(axis=1, keepdims=True)) * np.hanning(width)
    return np.abs(np.fft.rfft(windowed, axis=1)).T ** 2


def main(seconds=20.0, rate=22_050, width=1024, hop=256, seed=12):
    rng = np.random.default_rng(seed)
    time = np.arange(int(seconds * rate)) / rate
    chirp = np.sin(2.0 * np.pi * (200.0 * time + 0.5 * 150.0 * time**2))
    signal = chirp + 0.3 * (rng.random(time.size) - 0.5)
    signal[rng.integers(0, time.size, 50)] += 5.0
    power = spectrogram(signal, width, hop)
    decibels = 10.0 * np.log10(np.maximum(power, 1e-10 * power.max()))
    frequency = np.fft.rfftfreq(width, 1.0 / rate)
    ridge = frequency[np.argmax(power, axis=0)]
    smooth = np.convolve(ridge, np.ones(5) / 5.0, mode="valid")
    centroid = (frequency[:, None] * power).sum(axis=0) / power.sum(axis=0)
    return {"decibels": decibels, "ridge": smooth, "centroid": centroid}


SMALL = {"seconds": 0.2, "rate": 8000, "width": 128, "hop": 64}

if __name__ == "__main__":
    print("Dominant frequencies in Hz:", main()["ridge"][::200])
