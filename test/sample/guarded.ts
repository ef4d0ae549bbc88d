import type { LedgerEntry } from "../../src/engine/ledger/entries/entries-entry.ts";
import { actionOf } from "../../src/engine/guard/calls/rule-action.ts";
import { judgeBy } from "../../src/engine/guard/catalogue/judge-all.ts";
import { hitEntry } from "../../src/engine/guard/hit-entry.ts";
import { compressOutput } from "../../src/engine/guard/output/compressors/compress.ts";
import { emptyConfig } from "../../src/engine/guard/user-rules/config.ts";
import { realOutputs } from "../engine/guard/output/compressors/support/corpus.ts";
import { seededRandom } from "../engine/support/seeded-random.ts";
import { workspace } from "./agent-files.ts";
import { day, minute, moment } from "./clock.ts";

type Session = Extract<LedgerEntry, { kind: "session" }>;

/** Commands of the story on which rules may fire; what they say of each is asked of them. */
const commands = [
  "git push --force origin main",
  "rm -rf ~/backups",
  "cat .env",
  "git reset --hard HEAD~3",
  "npm publish",
  "psql harbor -c 'DELETE FROM berths'",
  "docker system prune -af --volumes",
  "find / -name tide.ts",
  "ls -R",
  "cat package-lock.json",
  "git log",
  "chmod -R 777 .",
] as const;

/** How long ago guards began to observe. */
const longest = 26 * day;

/**
 * Calls of the story's sessions on which guard rules fired. The rules themselves judge each command, and the outputs that could be smaller
 * are real ones, made smaller as they would be.
 */
export function guardedCalls(history: readonly LedgerEntry[]): LedgerEntry[] {
  const random = seededRandom(20_261_115);
  const judge = judgeBy(emptyConfig);
  const smaller = realOutputs().flatMap(({ text, about }) => {
    const made = about.isFailure ? null : compressOutput(text, about);
    const [words] = about.command ?? [];
    if (made === null || words === undefined) return [];
    const savedBytes = Buffer.byteLength(text) - Buffer.byteLength(made.text);
    return [{ compressor: made.compressor, savedBytes, command: words.join(" ") }];
  });
  const sessions = history.filter(
    (entry): entry is Session => entry.kind === "session" && (entry.firstAt ?? 0) > moment - longest,
  );
  return sessions.flatMap((session): LedgerEntry[] => {
    const { id, cwd = null, program = null, firstAt } = session;
    const folder = cwd ?? workspace;
    const callAt = (number: number) => ({
      call: {
        session_id: id,
        cwd: folder,
        tool_name: program === "claude-code" ? "Bash" : "shell",
        tool_use_id: `${id}-g${number}`,
      },
      at: (firstAt ?? 0) + (2 + random.below(8) + number) * minute,
    });
    const done = "observed";
    const caught = random.next() < 0.6 ? commands[random.below(commands.length)] : undefined;
    const context = { folder, home: "/home/dev", project: folder, temporary: "/tmp" };
    const hits =
      caught === undefined
        ? []
        : judge({ kind: "command", command: caught, shell: "posix" }, context, moment);
    const fired = hits.map(({ rule, excerpt }) => {
      const { call, at } = callAt(0);
      const { id: ruleId, family } = rule;
      return hitEntry(call, {
        rule: ruleId,
        family,
        action: actionOf(rule),
        done,
        excerpt,
        program: program ?? "",
        at,
      });
    });
    const outputs = Array.from({ length: random.below(3) }, (_, index) => {
      const { call, at } = callAt(1 + index);
      const output = smaller[random.below(smaller.length)];
      if (output === undefined) return [];
      const { compressor, savedBytes, command } = output;
      const rule = `smaller-output-${compressor}`;
      return [
        hitEntry(call, {
          rule,
          family: "output",
          action: "advise",
          done,
          excerpt: command,
          program: program ?? "",
          at,
          savedBytes,
        }),
      ];
    });
    return [...fired, ...outputs.flat()];
  });
}
