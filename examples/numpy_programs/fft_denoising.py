"""Noise removed from signals: small Fourier coefficients are set to zero, and the spectrum's peaks are listed."""

import dpnp as np


def main(channels=16, length=65_536, rate=8000.0, seed=11):
    rng = np.random.default_rng(seed)
    time = np.arange(length) / rate
    tones = np.array([220.0, 440.0, 1330.0])
    amplitudes = np.array([1.0, 0.6, 0.3])
    clean = (amplitudes[:, None] * np.sin(2.0 * np.pi * tones[:, None] * time)).sum(axis=0)
    noisy = clean + 4.0 * (rng.random((channels, length)) - 0.5)
    spectrum = np.fft.rfft(noisy, axis=-1)
    power = np.abs(spectrum) ** 2
    threshold = 40.0 * np.median(power, axis=-1, keepdims=True)
    filtered = np.where(power > threshold, spectrum, 0.0)
    restored = np.fft.irfft(filtered, n=length, axis=-1)
    frequency = np.fft.rfftfreq(length, 1.0 / rate)
    strongest = np.argsort(power.mean(axis=0))[::-1][:3]
    before = np.sqrt(np.mean((noisy - clean) ** 2))
    after = np.sqrt(np.mean((restored - clean) ** 2))
    return {"peaks": np.sort(frequency[strongest]), "before": before, "after": after, "restored": restored[:, ::64]}


SMALL = {"channels": 2, "length": 1024}

if __name__ == "__main__":
    results = main()
    print(f"Errors: {float(results['before']):.3f} before, {float(results['after']):.3f} after")
