import { projectOf, testTable, type Tree } from "./support/project.ts";

const tree: Tree = {
  "package.json": JSON.stringify({ scripts: { test: "vitest" } }),
  "src/cart.test.ts":
    'describe("cart", () => {\n  it("adds two prices", () => {});\n  test.skip(`removes a price`, () => {});\n});\n',
  "dynamic/package.json": "{}",
  "tests/test_cart.py":
    "class TestCart:\n    def test_total(self): pass\n\ndef test_empty(): pass\n\nclass TestMore(Base):\n    pass\n",
  "tests/test_open.py": "from helpers import *\n",
  "go/cart_test.go": "package cart\nfunc TestTotal(t *testing.T) {}\nfunc (s *Suite) TestEmpty() {}\n",
  "go/deep/deep_test.go": "package deep\nfunc TestDeep(t *testing.T) {}\n",
  "go/none/none.go": "package none\n",
};

testTable("tests", (t) => projectOf(t, tree), {
  fires: [
    [
      "npx vitest run -t 'adds three prices'",
      "has a test `adds three prices`. The nearest that they have: `adds two prices`.",
    ],
    ["vitest -t 'removs a price'", "`removes a price`"],
    ["jest --testNamePattern='cart subtracts'", "`cart`"],
    [
      "pytest tests/test_cart.py::test_emty",
      "`test_cart.py` has no test `test_emty`. The nearest that it has: `test_empty`.",
    ],
    ["pytest -x tests/test_cart.py::TestCart::test_totl", "`test_total`"],
    ["pytest tests/test_crt.py::test_empty", "`tests/test_cart.py`"],
    ["uv run pytest 'test_cart.py::test_emty[a]'", "`test_empty`", "tests"],
    ["go test -run TestTotla .", "The nearest that it has: `TestTotal`.", "go"],
    ["go test ./... -run '^TestDeap$'", "`TestDeep`", "go"],
    ["cd go && go test -v -run=TestTotla", "`TestTotal`"],
  ],
  silent: [
    "npx vitest run -t 'adds two prices'",
    "npx vitest run -t 'cart adds two'",
    "vitest -t 'ADDS'",
    "vitest -t 'adds|removs'",
    'vitest -t "$NAME"',
    "vitest --root other -t 'removs'",
    "vitest run src/cart.test.ts",
    "npm test -- -t removs",
    "pytest tests/test_cart.py::TestCart::test_total",
    "pytest 'tests/test_cart.py::test_empty[1-2]'",
    "pytest tests/test_cart.py::TestMore::test_inherited",
    "pytest tests/test_open.py::test_anything",
    "pytest tests/test_cart.py",
    "pytest -k totl",
    ["go test -run TestTotal .", "go"],
    ["go test -run Total ./...", "go"],
    ["go test -run TestEmpty .", "go"],
    ["go test -run 'TestTotla|TestDeep' ./...", "go"],
    ["go test -run TestTotla ./none", "go"],
    ["go test -run TestTotla example.com/other", "go"],
    ["go test -run TestTotal/sub .", "go"],
  ],
});

testTable(
  "tests whose names are made",
  (t) => projectOf(t, { ...tree, "src/made.test.ts": "it(nameOf(1), () => {});\n" }),
  {
    fires: [["pytest tests/test_cart.py::test_emty", "`test_empty`"]],
    silent: ["vitest -t 'removs a price'"],
  },
);

const config = 'export default { test: { include: ["checks/**"] } };\n';
testTable("tests in files of other names", (t) => projectOf(t, { ...tree, "vitest.config.ts": config }), {
  fires: [["pytest tests/test_cart.py::test_emty", "`test_empty`"]],
  silent: ["vitest -t 'removs a price'"],
});
