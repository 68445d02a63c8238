"""Writes the bodies of the functions in LLVM IR (of operations.cpp) as rows of a C++ table.

    write_bodies.py operations.ll bodies.inc

A row has the operation, its operands' dtypes (of casts, also the result's), the instructions, the result, and the
declarations of the functions that the instructions call. Operand k is $k; each instruction is a line, and the results
of the instructions are numbered after the operands. Bools are bytes of 0 or 1.

Only functions without branches and memory accesses, of few instructions, have a row.
"""

import re
import sys
from collections.abc import Iterator

MOST_INSTRUCTIONS = 12
# Conversions of floating-point numbers to integers are not among them: the result for numbers out of range is undefined
# in LLVM IR, so it would depend on the code around.
INSTRUCTION = re.compile(
    r"(?:add|sub|mul|and|or|xor|shl|lshr|ashr|fadd|fsub|fmul|fdiv|fneg|icmp|fcmp|select|bitcast|trunc|zext|sext|fpext|"
    r"fptrunc|sitofp|uitofp|call) .*"
)
INTRINSIC = re.compile(r"llvm\.(?:abs|ceil|copysign|ctpop|fabs|floor|roundeven|smax|smin|sqrt|trunc|umax|umin)\.\w+")
# attributes of parameters, results and calls
ATTRIBUTES = re.compile(r"\b(?:noundef|returned|signext|zeroext|tail|range\([^)]*\)) | #\d+$")
VALUE = re.compile(r"%\d+")
DTYPES = {f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)}
DTYPES |= {"bool", "float16", "float32", "float64", "complex64", "complex128"}


class NoRowError(Exception):
    """The function has an instruction that cannot be copied, or too many instructions."""


def functions(module: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yields name, operand types and lines of each function that has a result."""
    pattern = re.compile(r"^define ([^\n@]+) @dpep_(\w+)\(([^\n]*)\) [^\n]*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
    for result, name, parameters, body in pattern.findall(module):
        if result != "void":
            operands = [ATTRIBUTES.sub("", p).split()[0] for p in parameters.split(", ")]
            yield name, operands, [ATTRIBUTES.sub("", line.strip()) for line in body.splitlines()]


def declaration(call: str) -> str:
    """The declaration of the function that the instruction calls."""
    match = re.fullmatch(r"call (\w+) @([\w.]+)\((.*)\)", call)
    if match is None:
        raise NoRowError
    result, name, arguments = match.groups()
    if name.startswith("__") or (name.startswith("llvm.") and not INTRINSIC.fullmatch(name)):
        raise NoRowError
    types = ", ".join(argument.split()[0] for argument in arguments.split(", "))
    return f"declare {result} @{name}({types})\n"


def row_of(operands: list[str], lines: list[str]) -> tuple[list[str], str, str]:
    """Returns the instructions, the result and the declarations."""
    names = {f"%{k}": f"${k}" for k in range(len(operands))}
    bools = {f"%{k}" for k, operand in enumerate(operands) if operand == "i1"}
    declarations: set[str] = set()
    row: list[str] = []
    bits: dict[str, str] = {}

    def append(text: str) -> str:
        row.append(text)
        return f"${len(operands) + len(row) - 1}"

    def name_of(value: re.Match[str]) -> str:
        name = value.group()
        if name not in bools:
            return names[name]
        if name not in bits:
            bits[name] = append(f"icmp ne i8 {names[name]}, 0")
        return bits[name]

    instructions = [re.fullmatch(r"(%\d+) = (.*)", line) for line in lines[:-1]]
    # Logical instructions give the same on bytes of 0 and 1 as on bits. LLVM does not see that, because it does not
    # know that bytes in memory are 0 or 1.
    if bools and all(i and re.fullmatch(r"(?:and|or|xor) i1 .*", i.group(2)) for i in instructions):
        in_bytes = [re.sub(r"\bi1\b", "i8", line).replace("true", "1").replace("false", "0") for line in lines]
        return row_of(["i8"] * len(operands), in_bytes)
    for instruction in instructions:
        if instruction is None:
            raise NoRowError
        name, text = instruction.groups()
        if not INSTRUCTION.fullmatch(text):
            raise NoRowError
        if text.startswith("call"):
            declarations.add(declaration(text))
        conversion = re.fullmatch(r"(zext|uitofp) i1 (%\d+) to (\w+)", text)
        if conversion and conversion.group(2) in bools:
            kind, operand, to = conversion.groups()
            names[name] = names[operand] if to == "i8" else append(f"{kind} i8 {names[operand]} to {to}")
        else:
            names[name] = append(VALUE.sub(name_of, text))
    _, result_type, result = lines[-1].split()
    if result in bools:
        result = names[result]
    elif result.startswith("%"):
        result = append(f"zext i1 {names[result]} to i8") if result_type == "i1" else names[result]
    else:
        result = {"true": "1", "false": "0"}.get(result, result)
    if len(row) > MOST_INSTRUCTIONS:
        raise NoRowError
    return row, result, "".join(sorted(declarations))


def quoted(text: str) -> str:
    """The text as a C++ string literal."""
    return '"' + text.replace("\n", "\\n") + '"'


def main() -> None:
    """Writes the table."""
    source, table = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        module = file.read()
    rows = []
    for name, operands, lines in functions(module):
        words = name.replace("_to_", "_").split("_")
        dtypes = []
        while words[-1] in DTYPES:
            dtypes.insert(0, words.pop())
        try:
            row, result, declarations = row_of(operands, lines)
        except NoRowError:
            continue
        listed = ", ".join("dtype::" + dtype.replace("bool", "boolean") for dtype in dtypes)
        texts = ", ".join(map(quoted, ("\n".join(row), result, declarations)))
        rows.append(f"{{opcode::{'_'.join(words)}, {len(operands)}, {{{listed}}}, {texts}}},\n")
    with open(table, "w", encoding="utf-8") as file:
        file.writelines(sorted(rows))


main()
