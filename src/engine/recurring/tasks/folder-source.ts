import path from "node:path";
import { writeAtomically, type FilePort } from "../../base/files.ts";
import { insideProject } from "../../base/paths.ts";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";
import { commentDocument, readCommentDocument, readTaskDocument, withHead } from "./head-and-text.ts";
import { taskId, type Task, type TaskComment, type TaskState } from "./task.ts";
import type { SourceFault, TaskList, TaskSource } from "./tasks-source.ts";
import { compose, plainSentence, sentence, type Sentence } from "../../base/language.ts";

export interface FolderPorts {
  readonly files: FilePort;
  readonly clock: Clock;
  readonly unique: () => string;
}

/** Tasks, comments, and bytes per file. A longer file is not a task. */
const [maxTasks, maxComments, maxFileSize] = [2000, 5000, 1024 * 1024];

function tasksFolder(project: string): string {
  return path.join(project, ".purser", "tasks");
}

function taskFile(project: string, id: string): string {
  return path.join(tasksFolder(project), `${id}.md`);
}

function commentsFolder(project: string, id: string): string {
  return path.join(tasksFolder(project), "comments", id);
}

/** Each comment has its own file, so that git merges those of several people. */
export class FolderSource implements TaskSource {
  readonly #project: string;
  readonly #ports: FolderPorts;

  constructor(project: string, ports: FolderPorts) {
    this.#project = project;
    this.#ports = ports;
  }

  async list(): Promise<Result<TaskList, SourceFault>> {
    const names = await this.#names(tasksFolder(this.#project));
    if (!names.ok) return names;
    const wanted = names.value.filter((name) => name.endsWith(".md") && !/^README\.md$/iu.test(name));
    const tasks: Task[] = [];
    const problems: Sentence[] = [];
    for (const name of wanted.slice(0, maxTasks)) {
      const id = name.slice(0, -".md".length);
      const read = await this.#task(id);
      if (read.ok) tasks.push(await this.#dated(read.value));
      else problems.push(read.detail);
    }
    if (wanted.length > maxTasks)
      problems.push(sentence("{0} more files are not read", wanted.length - maxTasks));
    return succeed({ tasks, problems });
  }

  async read(id: string): Promise<Result<{ task: Task; comments: readonly TaskComment[] }, SourceFault>> {
    const read = await this.#task(id);
    if (!read.ok) return read;
    const comments = await this.#comments(id);
    if (!comments.ok) return comments;
    const lastAt = comments.value.at(-1)?.at ?? null;
    return succeed({ task: newer(read.value, lastAt), comments: comments.value });
  }

  async comment(
    id: string,
    { author, text }: { readonly author: string; readonly text: string },
  ): Promise<Result<string, SourceFault>> {
    const read = await this.#task(id);
    if (!read.ok) return read;
    const at = this.#ports.clock.now();
    const stamp = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/gu, "");
    const word = this.#ports.unique().replaceAll(/[^\w]/gu, "").slice(0, 8);
    const folder = commentsFolder(this.#project, id);
    const name = `${stamp}-${word}`;
    const written = await this.#write(
      path.join(folder, `${name}.md`),
      commentDocument({ author, at, text }),
      folder,
    );
    return written.ok ? succeed(name) : written;
  }

  async setState(id: string, state: TaskState): Promise<Result<null, SourceFault>> {
    const file = taskFile(this.#project, id);
    const read = await this.#task(id);
    if (!read.ok) return read;
    const text = await this.#text(file);
    if (!text.ok) return text;
    const updated = new Date(this.#ports.clock.now()).toISOString();
    const changed = withHead(text.value, { state, updated });
    if (!changed.ok) return fail("bad_task", compose`${file}: ${changed.detail}`);
    return await this.#write(file, changed.value, tasksFolder(this.#project));
  }

  async #task(id: string): Promise<Result<Task, SourceFault>> {
    const file = taskFile(this.#project, id);
    // A strange id would lead out of the folder.
    const text = taskId.safeParse(id).success
      ? await this.#text(file)
      : fail("no_such_task", plainSentence(""));
    if (!text.ok)
      return text.reason === "no_such_task"
        ? fail(
            "no_such_task",
            sentence(
              "there is no task {0} in {1}",
              JSON.stringify(id.slice(0, 100)),
              tasksFolder(this.#project),
            ),
          )
        : text;
    const read = readTaskDocument(id, text.value);
    return read.ok ? read : fail("bad_task", compose`${file}: ${read.detail}`);
  }

  /** An unreadable comment is shown as unreadable, so that no comment is silently missing. */
  async #comments(id: string): Promise<Result<TaskComment[], SourceFault>> {
    const folder = commentsFolder(this.#project, id);
    const names = await this.#names(folder);
    if (!names.ok) return names;
    const comments: TaskComment[] = [];
    for (const name of names.value.filter((each) => each.endsWith(".md")).slice(-maxComments)) {
      const commentId = name.slice(0, -".md".length);
      const text = await this.#text(path.join(folder, name));
      if (!text.ok && text.reason === "no_such_task") continue;
      const read = text.ok ? readCommentDocument(commentId, text.value) : text;
      comments.push(
        read.ok
          ? read.value
          : {
              id: commentId,
              author: "unknown",
              at: null,
              text: `(${name} cannot be read: ${read.detail.text})`,
            },
      );
    }
    return succeed(comments.toSorted(byTime));
  }

  /** By the newest comment's file name. */
  async #dated(task: Task): Promise<Task> {
    const names = await this.#names(commentsFolder(this.#project, task.id));
    const stamps = names.ok ? names.value.flatMap((name) => stampIn(name)) : [];
    return newer(task, stamps.length === 0 ? null : Math.max(...stamps));
  }

  async #names(folder: string): Promise<Result<string[], SourceFault>> {
    try {
      return succeed(
        (await this.#ports.files.list(folder)).filter((name) => !name.startsWith(".")).toSorted(),
      );
    } catch (error) {
      const code = errorCode(error);
      return code === "ENOENT" || code === "ENOTDIR"
        ? succeed([])
        : fail("source_failed", sentence("{0} cannot be read ({1})", folder, code));
    }
  }

  async #text(file: string): Promise<Result<string, SourceFault>> {
    const { files } = this.#ports;
    try {
      // Reading a pipe or a device may never end.
      if ((await files.kindOf(file)) !== "file") return fail("bad_task", sentence("{0} is no file", file));
      const bytes = await files.read(file);
      return bytes.length > maxFileSize
        ? fail(
            "bad_task",
            sentence("{0} has {1} bytes; at most {2} are read", file, bytes.length, maxFileSize),
          )
        : succeed(bytes.toString("utf8"));
    } catch (error) {
      const code = errorCode(error);
      return code === "ENOENT" || code === "ENOTDIR"
        ? fail("no_such_task", sentence("{0} does not exist", file))
        : fail("source_failed", sentence("{0} cannot be read ({1})", file, code));
    }
  }

  async #write(file: string, text: string, folder: string): Promise<Result<null, "source_failed">> {
    const { files, unique } = this.#ports;
    const inside = insideProject(folder, this.#project);
    if (!inside.ok) return fail("source_failed", inside.detail);
    try {
      await files.makeFolder(folder);
      await writeAtomically(file, Buffer.from(text), { files, unique });
      return succeed(null);
    } catch (error) {
      return fail("source_failed", sentence("{0} cannot be written ({1})", file, errorCode(error)));
    }
  }
}

function newer(task: Task, at: number | null): Task {
  return at === null || (task.updatedAt ?? 0) >= at ? task : { ...task, updatedAt: at };
}

function stampIn(name: string): number[] {
  const [, day, time] = /^(\d{8})T(\d{6})Z-/u.exec(name) ?? [];
  if (day === undefined || time === undefined) return [];
  const iso = `${day.replace(/(....)(..)(..)/u, "$1-$2-$3")}T${time.replace(/(..)(..)(..)/u, "$1:$2:$3")}Z`;
  const at = Date.parse(iso);
  return Number.isNaN(at) ? [] : [at];
}

/** The oldest first; one without a time after all others. */
function byTime(one: TaskComment, other: TaskComment): number {
  return (one.at ?? Infinity) - (other.at ?? Infinity) || (one.id < other.id ? -1 : 1);
}
