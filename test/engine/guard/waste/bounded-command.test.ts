import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readCommandLine } from "../../../../src/engine/guard/commands/shell-reader.ts";
import { addLimit } from "../../../../src/engine/guard/waste/bounded-command.ts";
import { testContext } from "../support/shell-context.ts";

const limited = [
  ["git log", "-n 50"],
  ["git --no-pager log --oneline --all --format='%h %s'", "-n 50"],
  ["git -C lib log -p", "-n 5"],
  // Behind its subcommand this finds copies.
  ["git log -C", "-n 50"],
  ["cd src && git log --stat 2>/dev/null", "-n 50"],
  ["git reflog ", "-n 50"],
  ["docker logs web", "--tail 200"],
  ["docker compose logs web db", "--tail 200"],
  ["kubectl logs -n shop deploy/api", "--tail 200"],
  ["journalctl -u nginx --no-pager", "-n 200"],
  ["hg log", "-l 50"],
] as const;

test("unbounded commands get a limit at their end", () => {
  for (const [command, added] of limited)
    assert.deepEqual(addLimit(command, testContext), { command: `${command.trimEnd()} ${added}`, added });
});

test("other commands do not change", () => {
  for (const command of [
    "git log -3",
    "git log -n 3",
    "git log --since=yesterday",
    "git log main..HEAD",
    "git log -- src",
    "git log --",
    "git log --reverse",
    "git log | head",
    "git log > log.txt",
    "git log &",
    "git log;",
    "git log # all",
    "git log \\",
    "git log && echo done",
    "git log <<EOF\nx\nEOF",
    "git log $MORE",
    "bash -c 'git log'",
    "sudo git log",
    "ssh web git log",
    "echo git log",
    "git commit -m 'git log'",
    "git log --author",
    "git -C",
    "git log 'x",
    "(git log)",
    "for a in b; do git log; done",
    "$(git log)",
    "docker logs -f web",
    "docker logs --tail 5 web",
    "docker logs",
    "kubectl logs",
    "journalctl --vacuum-size=1G",
    "journalctl -f",
    "git shortlog",
    "log git",
    "",
  ])
    assert.equal(addLimit(command, testContext), null, command);
});

test("a limited line has the same programs plus the limit, and gets no second limit", () => {
  const words = fc.constantFrom(
    ..."git log docker logs web reflog -p --oneline --all -n 5 -- | && ; & > a.txt # 'x' \" \\ $( ) ` <<EOF \n --format=%h -C sudo cd".split(
      " ",
    ),
    "\n",
  );
  const lines = fc.array(words, { minLength: 1, maxLength: 8 }).map((all) => all.join(" "));
  const known = fc.constantFrom(...limited.map(([command]) => command));
  let count = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        lines,
        fc.tuple(lines, known).map(([before, line]) => `${before} && ${line}`),
        fc.tuple(known, lines).map(([line, more]) => `${line} ${more}`),
        known,
      ),
      (command) => {
        const found = addLimit(command, testContext);
        if (found === null) return;
        count += 1;
        assert.ok(found.command.startsWith(command.trimEnd()));
        const before = readCommandLine(command, testContext);
        const after = readCommandLine(found.command, testContext);
        assert.deepEqual(after.slice(0, -1), before.slice(0, -1));
        const [was, is] = [before.at(-1), after.at(-1)];
        const { args = [], ...rest } = is ?? {};
        const { args: had = [], ...others } = was ?? {};
        assert.deepEqual(rest, others);
        assert.deepEqual(
          args.map(({ text }) => text),
          [...had.map(({ text }) => text), ...found.added.split(" ")],
        );
        assert.equal(addLimit(found.command, testContext), null);
      },
    ),
    { numRuns: 500 },
  );
  assert.ok(count > 50, `${count}`);
});
