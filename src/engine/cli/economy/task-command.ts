import { compose, plainSentence, sentence } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { type TaskState, runTaskCheck, lessonSkill } from "../../recurring/agents.ts";
import { answer, humanOutput } from "../answer.ts";
import { flag, jsonOf, option, quoted, type ParsedOptions, wrongUsage } from "../args.ts";
import { command } from "../command.ts";
import { canAsk, confirmed } from "../confirm.ts";
import type { CliHost } from "../cli-ports.ts";
import type { CommandInput, Subcommand } from "../declaration.ts";
import { openTasks, type TaskAccess } from "./economy-access.ts";
import type { TaskJson } from "./economy-schema.ts";
import { taskText } from "./task-text.ts";

type Answer = Result<Omit<TaskJson, "schema"> & { readonly code?: number }>;

function running(
  run: (id: string, access: TaskAccess, request: CommandInput, host: CliHost) => Promise<Answer>,
): Pick<Subcommand, "run"> {
  return {
    run: async (request, host) => {
      const access = openTasks(request.options.value("agent") ?? null, host);
      const done = access.ok ? await run(request.first, access.value, request, host) : access;
      if (!done.ok) return done;
      const { code = 0, ...found } = done.value;
      answer<TaskJson>({ schema: 1, ...found }, taskText, { options: request.options, host });
      return code;
    },
  };
}

const ofTask = {
  argument: { isMissing: sentence("missing ID; purser task inbox shows them") },
  takes: ["agent", "json"],
} as const;
const text = { text: { value: "a text" } };

export const taskCommand = command({
  name: "task",
  title: "tasks of this project, for recurring agents and for people",
  options: {
    agent: option(
      "NAME",
      "an agent",
      "as this agent sees it (default: the agent whose wake runs this command; else nothing counts as seen)",
    ),
    yes: flag("run the task's check without asking"),
    json: jsonOf("task"),
  },
  subcommands: {
    inbox: {
      does: "open tasks, what to do first at the front, with how many comments are new",
      takes: ["agent", "json"],
      ...running(inbox),
    },
    context: {
      words: "ID [--all]",
      does: "what a task is about now, and what changed since the agent looked last",
      ...ofTask,
      options: { all: {} },
      ...running(context),
    },
    comments: {
      words: "ID [--after C | --since T | --all]",
      does: "comments that are new to the agent, or those after a comment or since a time",
      ...ofTask,
      options: { after: { value: "a comment's id" }, since: { value: "a time" }, all: {} },
      ...running(comments),
    },
    digest: {
      words: "ID",
      does: "the task and its thread summed up, without a model",
      ...ofTask,
      ...running(async (id, { reader }) => {
        const digest = await reader.digest(id);
        return digest.ok ? succeed({ digest: digest.value, mode: "summary" as const }) : digest;
      }),
    },
    show: {
      words: "ID",
      does: "the task with all of its comments",
      ...ofTask,
      ...running(async (id, { reader }) => {
        const shown = await reader.show(id);
        return shown.ok ? succeed({ ...shown.value, mode: "full" as const }) : shown;
      }),
    },
    comment: {
      words: "ID --text T",
      does: "add a comment; - reads it from standard input",
      ...ofTask,
      options: text,
      ...running(comment),
    },
    done: {
      words: "ID [--text T] [--yes]",
      does: "close it, where its own check succeeds",
      ...ofTask,
      takes: [...ofTask.takes, "yes"],
      options: text,
      ...running(done),
    },
    block: {
      words: "ID --text T",
      does: "say what it waits for",
      ...ofTask,
      options: text,
      ...running(block),
    },
    skill: {
      does: "print a skill that teaches agents this order; save it as SKILL.md",
      run: (_, host) => {
        host.stdout.write(lessonSkill);
        return 0;
      },
    },
  },
  notes: `
A task is a Markdown file, .purser/tasks/ID.md (schema of its head: media/schemas/task-file.schema.json); its comments are files in
.purser/tasks/comments/ID. An agent's tasks can also come from a command: media/tasks/README.md.
`,
});

async function inbox(_: string, { reader }: TaskAccess): Promise<Answer> {
  const found = await reader.inbox();
  return found.ok ? succeed({ inbox: found.value.items, problems: found.value.problems }) : found;
}

async function context(id: string, { reader }: TaskAccess, { options }: CommandInput): Promise<Answer> {
  const found = await reader.context(id, options.has("all"));
  return found.ok ? succeed({ context: found.value }) : found;
}

async function comments(id: string, { reader }: TaskAccess, { options }: CommandInput): Promise<Answer> {
  const given = ["after", "since", "all"].filter((name) => options.has(name));
  if (given.length > 1) return wrongUsage(sentence("only one of --after, --since and --all is possible"));
  const since = options.value("since");
  const at = since === undefined ? null : Date.parse(since);
  if (at !== null && Number.isNaN(at))
    return wrongUsage(compose`--since needs a time such as 2026-11-27T09:30:00Z, not ${quoted(since ?? "")}`);
  const found = await reader.comments(id, {
    after: options.value("after") ?? null,
    since: at,
    isWhole: options.has("all"),
  });
  return found.ok ? succeed({ comments: found.value.comments, mode: found.value.mode }) : found;
}

async function comment(
  id: string,
  access: TaskAccess,
  { options }: CommandInput,
  host: CliHost,
): Promise<Answer> {
  const content = await textOf(options, host);
  if (!content.ok) return content;
  if (content.value === null) return wrongUsage(sentence("--text is needed"));
  return await write(id, { text: content.value, state: null }, access);
}

async function block(
  id: string,
  access: TaskAccess,
  { options }: CommandInput,
  host: CliHost,
): Promise<Answer> {
  const content = await textOf(options, host);
  if (!content.ok) return content;
  if (content.value === null) return wrongUsage(sentence("--text is needed: say what it waits for"));
  return await write(id, { text: content.value, state: "blocked" }, access);
}

async function done(
  id: string,
  access: TaskAccess,
  { options }: CommandInput,
  host: CliHost,
): Promise<Answer> {
  const content = await textOf(options, host);
  if (!content.ok) return content;
  const read = await access.source.read(id);
  if (!read.ok) return read;
  const { check } = read.value.task;
  if (check === null) return await write(id, { text: content.value, state: "done" }, access);
  if (access.isWake)
    return await write(
      id,
      { text: content.value, state: "in_review" },
      access,
      `its check runs when this wake ends: ${check}`,
    );
  const output = humanOutput({ options, host });
  output.stdout.write(`${cleanText(`Check of ${id}: ${check}`)}\n`);
  if (!options.has("yes")) {
    if (!canAsk(output))
      return wrongUsage(
        plainSentence(
          "its check is a command, and there is no terminal to ask in; --yes runs it without asking",
        ),
      );
    if (!(await confirmed("Run it here?", output)))
      return fail("not_agreed", sentence("declined; the task stays open"));
  }
  const checked = await runTaskCheck(check, {
    cwd: host.cwd,
    env: host.env,
    signal: host.signal,
    clock: { now: host.now },
  });
  if (!checked.ok) return fail("check_failed", compose`${id} stays open: ${checked.detail}`);
  return await write(id, { text: content.value, state: "done" }, access, "its check succeeded");
}

async function write(
  id: string,
  { text: content, state }: { readonly text: string | null; readonly state: TaskState | null },
  { source, author }: TaskAccess,
  detail: string | null = null,
): Promise<Answer> {
  const commented = content === null ? succeed(null) : await source.comment(id, { author, text: content });
  if (!commented.ok) return commented;
  const set = state === null ? succeed(null) : await source.setState(id, state);
  if (!set.ok) return set;
  return succeed({ written: { comment: commented.value, state, detail } });
}

/** Characters. */
const maxLength = 50_000;

async function textOf(options: ParsedOptions, host: CliHost): Promise<Result<string | null, "bad_argument">> {
  const given = options.value("text");
  if (given === undefined) return succeed(null);
  const content = given === "-" ? await inputOf(host) : given;
  if (content.trim() === "") return wrongUsage(sentence("--text is empty"));
  return content.length > maxLength
    ? wrongUsage(compose`--text has ${content.length} characters; at most ${maxLength} are kept`)
    : succeed(content);
}

async function inputOf({ stdin }: CliHost): Promise<string> {
  if (stdin === undefined) return "";
  const parts: string[] = [];
  for await (const part of stdin()) {
    parts.push(String(part));
    if (parts.reduce((sum, each) => sum + each.length, 0) > maxLength) break;
  }
  return parts.join("");
}
