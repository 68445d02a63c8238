"""Convolutions, filters, windows, spectra, peaks and waveforms, with the functions and keywords of scipy.signal.

>>> import dpnp as np
>>> from dpnp.scipy import signal
>>> signal.medfilt(np.array([1.0, 9.0, 2.0, 3.0, 4.0]))
array([1., 2., 3., 3., 3.])
"""

from dpep import _lazy

# Public names by the module that defines them.
_MODULES = {
    "dpnp.scipy.signal._convolutions": """
        choose_conv_method convolve convolve2d correlate correlate2d correlation_lags fftconvolve oaconvolve
    """,
    "dpnp.scipy.signal._filters": """
        detrend hilbert hilbert2 medfilt medfilt2d order_filter savgol_coeffs savgol_filter wiener
    """,
    ".": "windows",
    "dpnp.scipy.signal._peaks": "find_peaks peak_prominences peak_widths",
    "dpnp.scipy.signal._recursive_filters": """
        deconvolve filtfilt lfilter lfilter_zi lfiltic sosfilt sosfilt_zi sosfiltfilt
    """,
    "dpnp.scipy.signal._resampling": "resample",
    "dpnp.scipy.signal._spectra": "coherence csd istft periodogram spectrogram stft welch",
    "dpnp.scipy.signal._waveforms": "chirp gausspulse sawtooth square",
    "dpnp.scipy.signal.windows": "get_window",
}

# Names of scipy.signal that there are none of, by the reason, which is the message of the AttributeError.
_UNAVAILABLE = {
    "splines of signals are in dpnp.scipy.ndimage, spline_filter1d; use it, or SciPy on dpnp.asnumpy(x)": """
        cspline1d cspline1d_eval cspline2d qspline1d qspline1d_eval qspline2d spline_filter symiirorder1 symiirorder2
    """,
    "design filters with SciPy, whose results are parameters": """
        BadCoefficients band_stop_obj bessel besselap bilinear bilinear_zpk buttap butter buttord cheb1ap cheb1ord
        cheb2ap cheb2ord cheby1 cheby2 ellip ellipap ellipord firls firwin firwin2 firwin_2d freqs freqs_zpk freqz
        freqz_sos freqz_zpk findfreqs gammatone group_delay iircomb iirdesign iirfilter iirnotch iirpeak invres invresz
        kaiser_atten kaiser_beta kaiserord lp2bp lp2bp_zpk lp2bs lp2bs_zpk lp2hp lp2hp_zpk lp2lp lp2lp_zpk
        minimum_phase normalize remez residue residuez sos2tf sos2zpk sosfreqz tf2sos tf2zpk unique_roots zpk2sos zpk2tf
    """,
    "linear systems are not on devices; use SciPy": """
        StateSpace TransferFunction ZerosPolesGain abcd_normalize bode cont2discrete dbode dfreqresp dimpulse dlsim dlti
        dstep freqresp impulse lsim lti place_poles ss2tf ss2zpk step tf2ss zpk2ss
    """,
    "it is not on devices yet; use SciPy on dpnp.asnumpy(x)": """
        CZT ShortTimeFFT ZoomFFT argrelextrema argrelmax argrelmin check_COLA check_NOLA closest_STFT_dual_window
        czt czt_points decimate envelope find_peaks_cwt gauss_spline lombscargle max_len_seq
        resample_poly sepfir2d sweep_poly unit_impulse upfirdn
        vectorstrength zoom_fft
    """,
    "it is an obsolete module of SciPy's": """
        bsplines filter_design fir_filter_design lti_conversion ltisys signaltools spectral spline waveforms wavelets
    """,
}

__all__, __getattr__, __dir__ = _lazy.found_when_used(globals(), _MODULES, None, _UNAVAILABLE)
