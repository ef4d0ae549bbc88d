import { isMap, isScalar } from "yaml";
import * as z from "zod/mini";
import { described } from "../../base/sentence-schema.ts";
import { parseYaml } from "../../base/parse.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { firstIssue, issueSentence, issuesOf } from "../../base/schema-issues.ts";
import { task, taskComment, taskId, type Task, type TaskComment, type TaskState } from "./task.ts";
import { sentence, plainSentence } from "../../base/language.ts";

/** A time as people and we write it; a YAML date without quotes is a text, too. */
const time = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => !Number.isNaN(Date.parse(text)),
        sentence("must be a time such as 2026-11-27T09:30:00Z").text,
      ),
    ),
  z.transform((text) => Date.parse(text)),
);

/** Of `.purser/tasks/ID.md`. */
export const taskHead = z.strictObject({
  title: described(task.shape.title.check(z.minLength(1)), "What is to be done, in one line."),
  state: z._default(task.shape.state, "todo"),
  priority: task.shape.priority,
  assignee: described(task.shape.assignee, "The recurring agent that works on it, or a person."),
  parent: described(task.shape.parent, "The task that it is a part of."),
  blockedBy: described(task.shape.blockedBy, "Tasks that must be done before it."),
  check: described(
    task.shape.check,
    "A command that succeeds when the task is done; without it, the agent's word counts.",
  ),
  updated: described(z.optional(time), "When it was changed last, such as 2026-11-27T09:30:00Z."),
});

const commentHead = z.strictObject({
  author: taskComment.shape.author,
  at: z._default(z.nullable(time), null),
});

export function readTaskDocument(id: string, text: string): Result<Task, "bad_task"> {
  const named = taskId.safeParse(id);
  if (!named.success)
    return fail(
      "bad_task",
      sentence("{id}: a task's id {why}", {
        id: JSON.stringify(id),
        why: firstIssue(named.error) ?? plainSentence(""),
      }),
    );
  const head = headOf(text, taskHead);
  if (!head.ok) return head;
  const { updated, ...fields } = head.value.fields;
  const whole = task.safeParse({
    id,
    ...fields,
    description: head.value.body.trim(),
    updatedAt: updated ?? null,
  });
  return whole.success
    ? succeed(whole.data)
    : fail("bad_task", firstIssue(whole.error) ?? sentence("it is too long"));
}

export function readCommentDocument(id: string, text: string): Result<TaskComment, "bad_task"> {
  const head = headOf(text, commentHead);
  if (!head.ok) return head;
  const whole = taskComment.safeParse({ id, ...head.value.fields, text: head.value.body.trim() });
  return whole.success
    ? succeed(whole.data)
    : fail("bad_task", firstIssue(whole.error) ?? sentence("it is too long"));
}

/** `at`: milliseconds since the epoch. */
export function commentDocument({
  author,
  at,
  text,
}: {
  readonly author: string;
  readonly at: number;
  readonly text: string;
}): string {
  return `---\nauthor: ${JSON.stringify(author)}\nat: ${JSON.stringify(new Date(at).toISOString())}\n---\n${text.trim()}\n`;
}

/** Leaves everything else as it is written. */
export function withHead(
  text: string,
  fields: { readonly state: TaskState; readonly updated: string },
): Result<string, "bad_task"> {
  const split = splitHead(text);
  if (split === null) return fail("bad_task", noHead);
  const parsed = parseYaml(split.head);
  if (!parsed.ok) return fail("bad_task", parsed.detail);
  const { document } = parsed.value;
  if (!isMap(document.contents)) return fail("bad_task", noHead);
  let head = split.head;
  // Lines are replaced, not written again: comments and order stay, and so do values that YAML would write in another way.
  for (const [name, value] of Object.entries(fields)) {
    const quoted = /[:#]/u.test(value) ? JSON.stringify(value) : value;
    const item = document.contents.items.find(({ key }) => isScalar(key) && key.value === name);
    const line = new RegExp(`^${name}[ \\t]*:.*$`, "mu");
    if (item !== undefined && !line.test(head))
      return fail("bad_task", sentence("{0} is not on a line of its own", name));
    head =
      item === undefined
        ? `${head.replace(/(?<!\n)\n*$/u, "\n")}${name}: ${quoted}\n`
        : head.replace(line, () => `${name}: ${quoted}`);
  }
  return succeed(`${split.before}${head}${split.after}`);
}

const noHead = sentence("line 1: it must begin with a head between lines of ---");

function headOf<Schema extends z.ZodMiniType>(
  text: string,
  schema: Schema,
): Result<{ readonly fields: z.output<Schema>; readonly body: string }, "bad_task"> {
  const split = splitHead(text);
  if (split === null) return fail("bad_task", noHead);
  const parsed = parseYaml(split.head);
  if (!parsed.ok)
    return fail(
      "bad_task",
      sentence("line {0}: {why}", { 0: (parsed.fault?.line ?? 1) + 1, why: parsed.detail }),
    );
  const { value, lineOf } = parsed.value;
  const checked = schema.safeParse(value ?? {});
  if (checked.success)
    return succeed({ fields: checked.data, body: split.after.replace(/^---[ \t]*\r?(?:\n|$)/u, "") });
  const [issue] = issuesOf(checked.error);
  if (issue === undefined) return fail("bad_task", noHead);
  const key = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const line = lineOf(key === undefined ? issue.path : [...issue.path, key]) + 1;
  return fail("bad_task", sentence("line {0}: {why}", { 0: line, why: issueSentence(issue) }));
}

/** Before the head's first line, the head, and from its last fence on. */
function splitHead(
  text: string,
): { readonly before: string; readonly head: string; readonly after: string } | null {
  const [, before, head, after] =
    /^(\uFEFF?---[ \t]*\r?\n)(.*?\n|)(---[ \t]*\r?(?:\n.*)?)$/su.exec(text) ?? [];
  return before === undefined || head === undefined || after === undefined ? null : { before, head, after };
}
