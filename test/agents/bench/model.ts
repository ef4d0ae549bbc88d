import type { TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import { calls, says, usageOf, type Reply } from "../stand-in/reply.ts";
import type { SeenRequest } from "../stand-in/request.ts";
import { roleOf, sessionOf } from "../stand-in/role.ts";
import type { Script } from "../stand-in/stand-in.ts";

/** The rule under test: with it in context the model reads one file instead of three. */
export const rule = "Read only the file you are asked about.";

/** Constant token usage of each kind of reply, so that every run's sums are known. */
const played = {
  read: usageOf(1200, 800, 5000, 90),
  write: usageOf(300, 400, 6000, 120),
  done: usageOf(100, 0, 6500, 40),
} satisfies Record<string, TokenUsage>;

/** Processing tokens of a run with `reads` file reads. */
export function processingOf(reads: number): number {
  const cost = ({ input, output, cacheCreation5m }: TokenUsage) => input + output + cacheCreation5m;
  return reads * cost(played.read) + cost(played.write) + cost(played.done);
}

export const [readsWithout, readsWith] = [3, 1];

/**
 * Plays a model on the tiny suite's tasks: it reads the named file, plus two more unless the rule is in its
 * context, then writes `done` and reports it.
 */
export function wordModel(): { readonly script: Script; readonly sessions: ReadonlyMap<string, number> } {
  const sessions = new Map<string, number>();
  const script: Script = (request) => {
    if (roleOf(request) !== "main") return says('{"title": "A title"}', usageOf(1, 0, 0, 1));
    const session = sessionOf(request);
    const step = sessions.get(session) ?? 0;
    sessions.set(session, step + 1);
    return replyAt(step, request);
  };
  return { script, sessions };
}

function replyAt(step: number, request: SeenRequest): Reply {
  const copy = copyOf(request);
  const name = /src\/(\w+)\.txt/u.exec(request.firstText)?.[1] ?? "one";
  const others = ["one", "two", "three"].filter((other) => other !== name);
  const hasRule = `${request.systemText}\n${request.firstText}`.includes(rule);
  const reads = [name, ...others].slice(0, hasRule ? readsWith : readsWithout);
  const next = reads[step];
  if (next !== undefined) return calls("Read", { file_path: `${copy}/src/${next}.txt` }, played.read);
  const file_path = `${copy}/src/${name}.txt`;
  if (step === reads.length) return calls("Write", { file_path, content: "done\n" }, played.write);
  return says("Done.", played.done);
}

/** Finds the working copy's path, which the agent includes in its request. */
export function copyOf({ systemText, firstText }: SeenRequest): string {
  const copy = /\/\S*purser-bench-[^\s"'`<)]*\/project/u.exec(`${systemText}\n${firstText}`)?.[0];
  if (copy === undefined) throw new Error("the request names no copy to work in");
  return copy;
}
