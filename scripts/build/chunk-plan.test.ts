import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { planChunks, type Chunk } from "./chunk-plan.ts";

const chunk = (name: string, bytes: number, programs: string, ...imports: string[]): Chunk => ({
  name,
  bytes,
  imports,
  programs: new Set(programs),
  needs: "",
});

test("merges what the same programs load, and leaves apart what is large and not for all", () => {
  const plan = planChunks(
    [chunk("yaml", 90_000, "ab"), chunk("words", 300, "abc"), chunk("paths", 500, "abc", "words")],
    2000,
  );
  assert.deepEqual(plan, [["yaml"], ["paths", "words"]]);
});

test("merges nothing that needs an editor with what does not, however much would be gained", () => {
  const editor: Chunk = { ...chunk("editor", 1, "ab"), needs: "vscode" };
  assert.deepEqual(planChunks([chunk("one", 1, "abc"), editor], 50_000), [["one"], ["editor"]]);
});

test("merges nothing where a file costs nothing", () => {
  assert.deepEqual(planChunks([chunk("one", 1, "ab"), chunk("two", 1, "ab")], 0), [["one"], ["two"]]);
});

test("counts what a merged file would have others load", () => {
  // The two are small, but loading `left` would load `heavy` through `right`.
  const chunks = [
    chunk("heavy", 50_000, "ab"),
    chunk("right", 100, "ab", "heavy"),
    chunk("left", 100, "abcdef"),
  ];
  assert.deepEqual(planChunks(chunks, 2000), [["left"], ["heavy", "right"]]);
});

test("does not make a small program read much in vain, however many others gain", () => {
  const many = "abcdefghijklm";
  const chunks = [chunk("helper", 900, `${many}s`), chunk("schemas", 60_000, many)];
  assert.deepEqual(planChunks(chunks, 10_000), [["helper"], ["schemas"]]);
});

test("does not merge a file with what it imports by way of another", () => {
  const chunks = [
    chunk("last", 10, "abcdefgh"),
    chunk("large", 1_000_000, "abc", "last"),
    chunk("first", 10, "ab", "large"),
  ];
  for (const group of planChunks(chunks, 3000))
    assert.ok(!group.includes("first") || !group.includes("last") || group.includes("large"), group.join());
});

/** Chunks that import earlier ones, with all programs that reach them. */
const anyChunks = fc
  .array(
    fc.record({
      bytes: fc.integer({ min: 1, max: 20_000 }),
      imports: fc.array(fc.nat(15), { maxLength: 4 }),
      programs: fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { minLength: 1, maxLength: 4 }),
      needs: fc.constantFrom("", "", "vscode"),
    }),
    { maxLength: 16 },
  )
  .map((drawn) => {
    const all: { name: string; bytes: number; imports: string[]; programs: Set<string>; needs: string }[] =
      [];
    for (const [index, { bytes, imports, programs, needs }] of drawn.entries()) {
      const own = new Set(imports.filter((other) => other < index).map((other) => `chunk-${other}`));
      const further = all.filter(({ name }) => own.has(name)).map((other) => other.needs);
      const asked = [needs, ...further].find((each) => each !== "") ?? "";
      all.push({
        name: `chunk-${index}`,
        bytes,
        imports: [...own],
        programs: new Set(programs),
        needs: asked,
      });
    }
    for (const { imports, programs } of all.toReversed())
      for (const { name, programs: others } of all)
        if (imports.includes(name)) for (const program of programs) others.add(program);
    return all;
  });

test("places every chunk once, makes no circle, and never costs more than it saves", () => {
  fc.assert(
    fc.property(anyChunks, fc.nat(50_000), (chunks, fileCost) => {
      const plan = planChunks(chunks, fileCost);
      assert.deepEqual(plan.flat().toSorted(), chunks.map(({ name }) => name).toSorted());
      assert.deepEqual(planChunks(chunks, fileCost), plan);
      const alone = chunks.map(({ name }) => [name]);
      assert.ok(costOf(plan, chunks, fileCost) <= costOf(alone, chunks, fileCost));
      const needsOf = new Map(chunks.map(({ name, needs }) => [name, needs]));
      for (const group of plan) assert.equal(new Set(group.map((name) => needsOf.get(name))).size, 1);
    }),
  );
});

/** Bytes that all programs read, including the cost of opening files. Fails on circular imports between files. */
function costOf(plan: readonly (readonly string[])[], chunks: readonly Chunk[], fileCost: number): number {
  const ofGroup = (group: readonly string[]): Chunk[] => chunks.filter(({ name }) => group.includes(name));
  const load = (
    group: readonly string[],
    loaded: Set<readonly string[]>,
    path: (readonly string[])[],
  ): void => {
    assert.ok(!path.includes(group), `a circle: ${path.map((each) => each.join("+")).join(" > ")}`);
    if (loaded.has(group)) return;
    const imported = new Set(ofGroup(group).flatMap(({ imports }) => imports));
    for (const other of plan)
      if (other !== group && other.some((name) => imported.has(name))) load(other, loaded, [...path, group]);
    loaded.add(group);
  };
  let cost = 0;
  for (const program of "abcdef") {
    const loaded = new Set<readonly string[]>();
    for (const group of plan)
      if (ofGroup(group).some(({ programs }) => programs.has(program))) load(group, loaded, []);
    for (const group of loaded) cost += fileCost + ofGroup(group).reduce((sum, { bytes }) => sum + bytes, 0);
  }
  return cost;
}
