"""Files of sparse matrices: those of dpnp are read by SciPy, and SciPy's by dpnp."""

from __future__ import annotations

import io

import dpnp
import numpy as np
import pytest
import scipy.sparse as theirs

ours = dpnp.scipy.sparse
CLASSES = ["csr_matrix", "csr_array", "csc_matrix", "csc_array", "coo_matrix", "coo_array"]
ELEMENTS = np.array([[0, 1, 0, 2.5], [0, 0, 0, 0], [-3, 0, 0, 4]])


def same(found: object, expected: object, name: str) -> None:
    assert type(found).__name__ == type(expected).__name__ == name
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    made, expected = (x.get().toarray() if isinstance(x, ours.sparray | ours.spmatrix) else x.toarray()
                      for x in (found, expected))  # fmt: skip
    np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize("compressed", [True, False])
@pytest.mark.parametrize("code", ["f8", "f4", "c8", "i8", "?"])
@pytest.mark.parametrize("name", CLASSES)
def test_files_are_those_of_scipy(tmp_path, name, code, compressed):
    expected = getattr(theirs, name)(ELEMENTS.astype(code))
    ours.save_npz(tmp_path / "ours", getattr(ours, name)(expected), compressed)
    same(theirs.load_npz(tmp_path / "ours.npz"), expected, name)
    same(ours.load_npz(tmp_path / "ours.npz"), expected, name)
    theirs.save_npz(tmp_path / "theirs.npz", expected, compressed)
    same(ours.load_npz(tmp_path / "theirs.npz"), expected, name)


def test_placement_and_empty_matrices():
    file = io.BytesIO()
    ours.save_npz(file, ours.csr_array((3, 0)))
    file.seek(0)
    found = ours.load_npz(file, usm_type="shared")
    assert (found.shape, found.nnz, found.usm_type) == ((3, 0), 0, "shared")


def test_errors(tmp_path):
    with pytest.raises(TypeError, match="save_npz: expected a sparse matrix or array of dpnp, got ndarray"):
        ours.save_npz(tmp_path / "x", dpnp.ones((2, 2)))
    with pytest.raises(FileNotFoundError):
        ours.load_npz(tmp_path / "nothing.npz")
    np.savez(tmp_path / "arrays.npz", a=ELEMENTS)
    with pytest.raises(ValueError, match="does not contain a sparse matrix"):
        ours.load_npz(tmp_path / "arrays.npz")
    theirs.save_npz(tmp_path / "dia.npz", theirs.dia_array(np.eye(2)))
    with pytest.raises(ValueError, match="the format dia; CSR, CSC and COO"):
        ours.load_npz(tmp_path / "dia.npz")
