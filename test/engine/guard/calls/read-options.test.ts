import assert from "node:assert/strict";
import { test } from "node:test";
import { readOptions } from "../../../../src/engine/guard/calls/read-options.ts";
import { plainArgument } from "../../../../src/engine/guard/commands/invocation.ts";

function optionsOf(line: string): {
  readonly flags: readonly string[];
  readonly operands: readonly string[];
  readonly values: Readonly<Record<string, readonly string[]>>;
} {
  const [program = "", ...words] = line.split(" ");
  const { flags, operands, values } = readOptions(program, words.map(plainArgument));
  const entries = [...values].map(([option, given]) => [option, given.map(({ text }) => text)] as const);
  return { flags, operands: operands.map(({ text }) => text), values: Object.fromEntries(entries) };
}

test("an option that is repeated has all its values", () => {
  assert.deepEqual(optionsOf("docker run -v /:/host -v /x:/y --volume=/z:/z alpine"), {
    flags: ["-v", "-v", "--volume"],
    operands: ["run", "alpine"],
    values: { "-v": ["/:/host", "/x:/y"], "--volume": ["/z:/z"] },
  });
});

test("a program's first word says which of its options take values", () => {
  assert.deepEqual(optionsOf("docker system prune -f --volumes").flags, ["-f", "--volumes"]);
  assert.deepEqual(optionsOf("docker compose -f prod.yml down -v").operands, ["compose", "down"]);
});

test("programs with long options behind one dash have values after an equals sign", () => {
  const { flags, values } = optionsOf("terraform -chdir=infra apply -auto-approve=true");
  assert.deepEqual(flags, ["-chdir", "-auto-approve"]);
  assert.deepEqual(values, { "-chdir": ["infra"], "-auto-approve": ["true"] });
});

test("a value may stand right behind the last of several letters", () => {
  assert.deepEqual(optionsOf("curl -sXDELETE http://es:9200/a"), {
    flags: ["-sXDELETE", "-s", "-X"],
    operands: ["http://es:9200/a"],
    values: { "-X": ["DELETE"] },
  });
  assert.deepEqual(optionsOf("tar -xzf a.tgz").values, { "-f": ["a.tgz"] });
  assert.deepEqual(optionsOf("mysql -uroot -psecret shop").operands, ["shop"]);
});
