import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Numbers between 0 and 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = (seed * 7919 + 12_345) % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

export interface MadeSession {
  readonly number: number;
  /** The project's folder. */
  readonly project: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly prompts: number;
  readonly callsAPrompt: number;
}

const errors = [
  ["npx tsc --noEmit", "src/page-list.ts(12,3): error TS2307: Cannot find module 'zod'.", "npm install zod"],
  ["npm test", "not ok 3 - sums prices\n  AssertionError: expected 3, got 4", null],
  ["npm run lint", "error: 'total' is assigned a value but never used", null],
  ["docker compose up", "Error: port 5432 is already allocated", "docker compose down"],
] as const;
const looks = ["git status", "ls src", "rg -n total src", "git diff", "cat package.json"];

/**
 * Returns rows of Claude Code's transcript of a session of made-up work: reads, edits, searches, checks that fail and are mended, commands that
 * never work, commits.
 */
function transcriptOf({ number, project, at, prompts, callsAPrompt }: MadeSession): string {
  const random = seeded(number);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const id = sessionId(number);
  const rows: string[] = [];
  let [count, time] = [0, at];
  const row = (type: string, message: object) => {
    time += 4000;
    const timestamp = new Date(time).toISOString();
    rows.push(JSON.stringify({ type, sessionId: id, cwd: project, gitBranch: "main", timestamp, message }));
  };
  const call = (name: string, input: object, text: string, isError = false) => {
    count += 1;
    const use = `toolu_${number}_${count}`;
    row("assistant", {
      id: `msg_${number}_${count}`,
      model: "claude-sonnet-4-5",
      content: [{ type: "tool_use", id: use, name, input }],
      usage: { input_tokens: 3, output_tokens: 90, cache_read_input_tokens: 30_000 },
    });
    row("user", {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: use, content: text, is_error: isError }],
    });
  };
  const run = (command: string, text: string, isError = false) => call("Bash", { command }, text, isError);
  const file = () => `${project}/src/part-${Math.floor(random() * 40)}/page-${Math.floor(random() * 9)}.ts`;
  for (let prompt = 0; prompt < prompts; prompt += 1) {
    row("user", { role: "user", content: `Part ${prompt} of task ${number}: always keep the API as it is.` });
    for (let step = 0; step < callsAPrompt; step += 1) {
      const kind = random();
      if (kind < 0.3) call("Read", { file_path: file() }, "line of text\n".repeat(60));
      else if (kind < 0.55)
        call("Edit", { file_path: file(), old_string: `a${count}`, new_string: `b${count}` }, "done");
      else if (kind < 0.75) run(pick(looks) ?? "ls", "some output\n".repeat(20));
      else if (kind < 0.9) {
        const [command, text, remedy] = pick(errors) ?? errors[0];
        run(command, text, true);
        if (remedy === null)
          call("Edit", { file_path: file(), old_string: `c${count}`, new_string: "d" }, "done");
        else run(remedy, "done");
        run(command, "ok");
      } else if (kind < 0.96) run("make deploy-all", "Error: no host 10.0.0.7", true);
      else run(`git commit -am "Mend part ${prompt}"`, "1 file changed");
    }
  }
  return `${rows.join("\n")}\n`;
}

function sessionId(number: number): string {
  return `${number.toString(16).padStart(8, "0")}-1111-4111-8111-111111111111`;
}

/** Writes a session's transcript into a home. Returns its bytes. */
export function writeSession(home: string, session: MadeSession): number {
  const folder = path.join(home, ".claude", "projects", session.project.replaceAll(/[^A-Za-z0-9]/gu, "-"));
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${sessionId(session.number)}.jsonl`);
  const text = transcriptOf(session);
  writeFileSync(file, text);
  utimesSync(file, session.at / 1000, session.at / 1000);
  return text.length;
}
