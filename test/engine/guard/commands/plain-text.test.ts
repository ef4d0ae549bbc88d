import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "unbash";
import { certainTexts, withoutPlainTexts } from "../../../../src/engine/guard/commands/plain-text.ts";
import { commandLine } from "../support/fuzzed-calls.ts";

const long = "a long text that says nothing; rm -rf / $HOME";
const plain = "a long text that says nothing; rm -rf / (here)";

/** How often each kind of node is in a tree, whatever its texts are. */
function kindsIn(tree: unknown, kinds = new Map<string, number>()): Map<string, number> {
  if (typeof tree !== "object" || tree === null) return kinds;
  const type: unknown = "type" in tree ? tree.type : undefined;
  // The parser leaves literal parts out where a word is nothing else.
  if (typeof type === "string" && type !== "Literal") kinds.set(type, (kinds.get(type) ?? 0) + 1);
  for (const each of Object.values(tree)) kindsIn(each, kinds);
  return kinds;
}

/** The line with other letters in place of its plain texts. */
function withLetters(line: string): string {
  let text = line;
  for (const { from, to } of certainTexts(line).filter(({ kind }) => kind === "plain"))
    text = text.slice(0, from) + text.slice(from, to).replaceAll(/[^\n]/gu, "x") + text.slice(to);
  return text;
}

test("Text in quotes and here-documents is plain, and nothing that the shell reads is", () => {
  const rest = (line: string) => withoutPlainTexts(line, certainTexts(line));
  assert.equal(rest(`git commit -m '${long}' && ls`), "git commit -m '' && ls");
  assert.equal(rest(`git commit -m "${plain}" && ls`), 'git commit -m "" && ls');
  assert.equal(rest(`echo "${plain}$(date)${plain}"`), 'echo "$(date)"');
  assert.equal(rest(`cat > a <<'EOF'\n${long}\nEOF\nls`), "cat > a <<'EOF'\nEOF\nls");
  assert.equal(rest(`cat > a <<-EOF\n\t${plain}\n\tEOF\nls`), "cat > a <<-EOF\n\tEOF\nls");
  assert.equal(
    rest(`git commit -m "$(cat <<'EOF'\n${long}\nEOF\n)"`),
    "git commit -m \"$(cat <<'EOF'\nEOF\n)\"",
  );
  assert.equal(rest(`cat <<'A' <<'B'\n${long}\nA\n${long}\nB\nls`), "cat <<'A' <<'B'\nA\nB\nls");
  assert.equal(rest(`ls # don't\nrm '${long}'`), "ls # don't\nrm ''");
  for (const line of [
    `ls ${long}`,
    `cat <<EOF\n${long} $(rm -rf /)\nEOF`,
    `cat <<EOF\n${long}`,
    `echo $((1 <<EOF))\n${plain}\nEOF`,
    `((a <<EOF))\n${plain}\nEOF`,
    `echo "\${a:-$(echo '}')}" '${plain}'`,
    `echo $'it\\'s' '${plain}'`,
    `x=$(case a in a) echo "${plain}";; esac)`,
    `cat <<<EOF\n${plain}\nEOF`,
    `echo \`echo "${plain}"\``,
  ])
    assert.equal(rest(line), line);
});

const piece = fc.constantFrom(
  ...[
    "'",
    '"',
    "\\",
    "\n",
    " ",
    "#",
    "$(",
    ")",
    "(",
    "`",
    "${a}",
    "$a",
    "$((",
    "))",
    "<<'E'\n",
    "<<E\n",
    "\nE\n",
    "<<<",
    "; ",
    " && ",
    "case a in a)",
    "esac",
    "$'",
    "[[ ",
    " ]]",
    "a=(",
    "E",
    "{",
    "}",
  ],
  ...[long, plain, "'quoted text of some length, yes'", '"quoted text of some length, yes"'],
);

test("With other letters in plain texts, the parser finds the same commands", () => {
  const lines = fc.oneof(
    { weight: 3, arbitrary: fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join("")) },
    { weight: 1, arbitrary: commandLine },
  );
  let found = 0;
  fc.assert(
    fc.property(lines, (line) => {
      if (line.length > 20_000) return;
      const other = withLetters(line);
      if (other === line) return;
      found += 1;
      assert.deepEqual(kindsIn(parse(other)), kindsIn(parse(line)), line);
    }),
    { numRuns: 3000 },
  );
  assert.ok(found > 100, `${found} lines had plain texts`);
});
