import { readOptions } from "../calls/read-options.ts";
import type { Invocation } from "../commands/invocation.ts";

/** Programs that report a state that changes by itself, with any arguments. */
const states = new Set(
  "ps pgrep pidof jobs lsof ss netstat nc nvidia-smi squeue qstat sacct uptime top ping journalctl tail".split(
    " ",
  ),
);
/** Words that make a program report such a state. */
const words: Readonly<Record<string, RegExp>> = {
  gh: /^(?:run (?:view|list)|pr (?:checks|view|status)|workflow (?:view|list)|api .*\/(?:runs|checks|status|deployments).*)/u,
  glab: /^(?:ci|pipeline|mr) (?:status|view|list|get)/u,
  kubectl: /^(?:get|describe|logs|top)\b/u,
  oc: /^(?:get|describe|logs)\b/u,
  docker: /^(?:ps|logs|inspect|stats|compose (?:ps|logs|top)|container ls)\b/u,
  podman: /^(?:ps|logs|inspect|stats)\b/u,
  "docker-compose": /^(?:ps|logs|top)\b/u,
  systemctl: /^(?:status|is-active|show)\b/u,
  service: /\bstatus$/u,
  aws: /^\S+ (?:describe|get|list)-/u,
  gcloud: /\b(?:describe|list)\b/u,
  az: /\b(?:show|list)\b/u,
  helm: /^(?:status|list|history)\b/u,
  flyctl: /^(?:status|logs)\b/u,
  fly: /^(?:status|logs)\b/u,
  heroku: /^(?:ps|logs|releases)\b/u,
  vercel: /^(?:inspect|ls|list|logs)\b/u,
  railway: /^(?:status|logs)\b/u,
  argocd: /^app (?:get|list)\b/u,
};
/** Options with which such a program itself waits. */
const waiting = /^(?:-w|--watch|--watch-only|--follow|--wait|-f)$/u;
const logFile = /(?:\.log|\.out|nohup\.out)$/u;

/** Returns the thing that a program polls; null if the program does something else. */
export function polledBy(invocation: Invocation): string | null {
  const { program, args } = invocation;
  const { flags, operands } = readOptions(program, args);
  if (flags.some((flag) => waiting.test(flag)) && program !== "curl") return null;
  const named = operands.map(({ text }) => text).join(" ");
  const all = `${program} ${args.map(({ text }) => text).join(" ")}`;
  if (program === "curl" || program === "wget" || program === "http") {
    return operands.some(({ text }) => /[.:/]/u.test(text)) ? all : null;
  }
  if (program === "tail") return named === "" ? null : all;
  if (program === "cat" || program === "head" || program === "wc") return logFile.test(named) ? all : null;
  if (states.has(program)) return all;
  const pattern = Object.hasOwn(words, program) ? words[program] : undefined;
  return pattern?.test(named) === true ? all : null;
}
