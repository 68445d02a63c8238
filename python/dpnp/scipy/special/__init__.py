"""Special functions, with the names of scipy.special.

Most are element functions, as `dpnp.sin`: they take `out`, `where` and `dtype`, and are computed in one pass with the
operations around them. float32 is computed in single precision, or in double precision and rounded; float16 becomes
float32, except for erf, erfc, gamma and gammaln; integers become float64. Numbers are real.

>>> import dpnp as np
>>> from dpnp.scipy import special
>>> special.gamma(np.array([1, 5]))
array([ 1., 24.])
"""

from dpep import _lazy

# Public names by the module that defines them. The table of operations has the names of dpep._array.special.
_MODULES = {
    "dpep._array.special": "",
    "dpnp": "cbrt erf exp2 expm1 i0 log1p sinc",
    "dpnp.scipy.special._combinations": "binom comb factorial perm",
    "dpnp.scipy.special._elliptic": "ellipe ellipk ellipkm1",
    "dpnp.scipy.special._gamma_functions": "gammasgn loggamma multigammaln poch polygamma rgamma zeta",
    "dpnp.scipy.special._incomplete_beta": "betainc betaincc",
    "dpnp.scipy.special._modified_bessel": "k0 k0e k1 k1e kn kv kve",
    "dpnp.scipy.special._softmax": "log_softmax logsumexp softmax softplus",
}

_ALIASES = {"psi": "digamma"}

# Names of scipy.special that there are none of, by the reason, which is the message of the AttributeError.
_UNAVAILABLE = {
    "other Bessel functions than kv and kn are on devices for the orders 0 and 1 only: i0, i1, j0, j1, y0, y1": """
        ai_zeros bei_zeros beip_zeros ber_zeros berp_zeros bi_zeros h1vp h2vp hankel1 hankel1e hankel2 hankel2e iv ive
        ivp jn jn_zeros jnjnp_zeros jnp_zeros jnyn_zeros jv jve jvp kei_zeros keip_zeros kelvin_zeros
        ker_zeros kerp_zeros kvp lmbda riccati_jn riccati_yn spherical_in spherical_jn spherical_kn
        spherical_yn y0_zeros y1_zeros y1p_zeros yn yn_zeros ynp_zeros yv yve yvp
    """,
    "there are no polynomials but those of dpnp.poly1d and dpnp.polyval; use SciPy on dpnp.asnumpy(x)": """
        assoc_laguerre assoc_legendre_p assoc_legendre_p_all c_roots cg_roots chebyc chebys chebyt chebyu eval_chebyc
        eval_chebys eval_chebyt eval_chebyu eval_gegenbauer eval_genlaguerre eval_hermite eval_hermitenorm eval_jacobi
        eval_laguerre eval_legendre eval_sh_chebyt eval_sh_chebyu eval_sh_jacobi eval_sh_legendre gegenbauer
        genlaguerre h_roots he_roots hermite hermitenorm j_roots jacobi js_roots l_roots la_roots laguerre legendre
        legendre_p legendre_p_all p_roots ps_roots roots_chebyc roots_chebys roots_chebyt roots_chebyu roots_gegenbauer
        roots_genlaguerre roots_hermite roots_hermitenorm roots_jacobi roots_laguerre roots_legendre roots_sh_chebyt
        roots_sh_chebyu roots_sh_jacobi roots_sh_legendre s_roots sh_chebyt sh_chebyu sh_jacobi sh_legendre t_roots
        ts_roots u_roots us_roots
    """,
    "it is not on devices yet; use SciPy on dpnp.asnumpy(x)": """
        agm airy airye bdtr bdtrc bdtri bdtrik bdtrin bei beip ber bernoulli berp besselpoly
        betainccinv betaincinv boxcox boxcox1p btdtria btdtrib chdtr chdtrc chdtri chdtriv chndtr chndtridf chndtrinc
        chndtrix cosdg cosm1 cotdg dawsn diric ellip_harm ellip_harm_2 ellip_normal ellipeinc ellipj
        ellipkinc elliprc elliprd elliprf elliprg elliprj erf_zeros erfi euler exp1 expi expn exprel
        factorial2 factorialk fdtr fdtrc fdtri fdtridfd fresnel fresnel_zeros fresnelc_zeros fresnels_zeros
        gammainccinv gammaincinv gdtr gdtrc gdtria gdtrib gdtrix hyp0f1 hyp1f1 hyp2f1 hyperu inv_boxcox inv_boxcox1p
        it2i0k0 it2j0y0 it2struve0 itairy iti0k0 itj0y0 itmodstruve0 itstruve0 kei keip kelvin ker kerp kolmogi
        kolmogorov lambertw log_wright_bessel lpmv lqmn lqn mathieu_a mathieu_b mathieu_cem mathieu_even_coef
        mathieu_modcem1 mathieu_modcem2 mathieu_modsem1 mathieu_modsem2 mathieu_odd_coef mathieu_sem modfresnelm
        modfresnelp modstruve nbdtr nbdtrc nbdtri nbdtrik nbdtrin ncfdtr ncfdtri ncfdtridfd ncfdtridfn ncfdtrinc nctdtr
        nctdtridf nctdtrinc nctdtrit ndtri_exp nrdtrimn nrdtrisd obl_ang1 obl_ang1_cv obl_cv obl_cv_seq obl_rad1
        obl_rad1_cv obl_rad2 obl_rad2_cv owens_t pbdn_seq pbdv pbdv_seq pbvv pbvv_seq pbwa pdtr pdtrc pdtri pdtrik
        powm1 pro_ang1 pro_ang1_cv pro_cv pro_cv_seq pro_rad1 pro_rad1_cv pro_rad2 pro_rad2_cv radian round shichi sici
        sindg smirnov smirnovi spence sph_harm_y sph_harm_y_all sph_legendre_p sph_legendre_p_all stdtr stdtridf
        stdtrit stirling2 struve tandg tklmbda voigt_profile wofz wright_bessel wrightomega zetac
    """,
    "floating-point errors are neither errors nor warnings on devices": """
        SpecialFunctionError SpecialFunctionWarning errstate geterr seterr
    """,
}

__all__, __getattr__, __dir__ = _lazy.found_when_used(globals(), _MODULES, _ALIASES, _UNAVAILABLE)
