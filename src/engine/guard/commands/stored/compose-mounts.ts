import type { StoredRun } from "./run-stored.ts";

const defaults = ["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"];
const engines = new Set(["docker", "podman", "nerdctl"]);
const alone = new Set(["docker-compose", "podman-compose"]);
const starting = new Set(["up", "run", "start", "restart", "create"]);

/** Returns the files that define the mounts of started containers. */
export function composeRuns(program: string, texts: readonly string[]): readonly StoredRun[] {
  return composeFiles(program, texts).map((names) => ({
    names,
    part: "mounts",
    language: "shell",
    scripts: composeMounts,
  }));
}

/** Returns the possible names of each file that a compose command reads; none if it does not start containers. */
function composeFiles(program: string, texts: readonly string[]): readonly (readonly string[])[] {
  const isCompose = alone.has(program) || (engines.has(program) && texts[0] === "compose");
  if (!isCompose || !texts.some((text) => starting.has(text))) return [];
  const end = texts.findIndex((text) => starting.has(text));
  const files: string[] = [];
  let folder = "";
  for (let at = 0; at < end; at += 1) {
    const [name, joined] = (texts[at] ?? "").split("=", 2);
    const value = joined ?? texts[at + 1] ?? "";
    if (name === "-f" || name === "--file") files.push(value);
    else if (name === "--project-directory") folder = `${value}/`;
  }
  return files.length === 0 ? [defaults.map((name) => folder + name)] : files.map((name) => [name]);
}

/** Maximum mounts. */
const maxMounts = 40;
/** A path of a mount without shell syntax. */
const place = /^(?:~|[./]|\$\{?\w)[\w./${}~-]*$/u;

/** Returns a `docker run` command for each mount in a compose file. */
function composeMounts(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.replace(/(?<!\s)\s+#.*/su, ""));
  return [...shortMounts(lines), ...longMounts(lines)]
    .slice(0, maxMounts)
    .map((mount) => `docker run ${mount} x`);
}

/** Mounts in short form: `- SOURCE:TARGET:MODE`, on a line or in a list. */
function shortMounts(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const list = /^\s*["']?volumes["']?\s*:\s*\[(.*)\]\s*$/u.exec(line)?.[1];
    const item = /^\s*-\s+(\S.*)$/u.exec(line)?.[1];
    const items = list?.split(",") ?? (item === undefined ? [] : [item]);
    return items.flatMap((each) => {
      const [source = "", target = "", mode = ""] = bare(each).split(":");
      if (!place.test(source) || !/^\/[\w./-]*$/u.test(target)) return [];
      return [`-v "${ofHome(source)}:${target}${/^[\w,]+$/u.test(mode) ? `:${mode}` : ""}"`];
    });
  });
}

/** Mounts in long form, with `source:` in one of their lines. */
function longMounts(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, at) => {
    const source = bare(/^\s*(?:-\s+)?(?:source|src)\s*:\s*(\S+)\s*$/u.exec(line)?.[1] ?? "");
    if (!place.test(source)) return [];
    const isEnd = (each: string): boolean => /^\s*-\s|^\s*$/u.test(each);
    const after = lines.slice(at + 1);
    const end = after.findIndex(isEnd);
    const begin = lines.slice(0, at + 1).findLastIndex(isEnd);
    const around = [...lines.slice(Math.max(0, begin), at), ...(end === -1 ? after : after.slice(0, end))];
    const isReadOnly = around.some((each) => /\bread_only\s*:\s*true\b/u.test(each));
    return isReadOnly ? [] : [`--mount "type=bind,source=${ofHome(source)},target=/x"`];
  });
}

const bare = (text: string): string => text.trim().replaceAll(/^["']|["']$/gu, "");
const ofHome = (source: string): string => source.replace(/^~(?=\/|$)/u, "$HOME").replace(/(?<=.)\/$/u, "");
