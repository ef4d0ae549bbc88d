import type { LooseLanguage } from "./loose-tokens.ts";

/** A script of a language that is read by its words. */
interface LooseScript {
  readonly text: string;
  readonly language: LooseLanguage;
}

const powershells = new Set(["pwsh", "powershell"]);
const powershellOption = /^-(?:c|co.*|enc?|e|ec|encodedcommand)$/iu;
/** Options of Start-Process that take no value. */
const bareOptions = /^-(?:Wait|NoNewWindow|PassThru|UseNewEnvironment|LoadUserProfile)$/iu;

/** Returns the script that a shell of Windows, or Nushell, is given as its words or input; null for another program, or none. */
export function windowsScript(
  program: string,
  texts: readonly string[],
  input: string | null,
): LooseScript | null {
  if (program === "cmd") return ofCmd(texts);
  if (powershells.has(program)) return ofPowerShell(program, texts);
  if (program === "nu") {
    const at = texts.findIndex((text) => text === "-c" || text === "--commands");
    // Its loops over what a command lists are those of PowerShell.
    const text = texts[at + 1] ?? "";
    return at === -1 || !/\beach\b/u.test(text) ? null : { text, language: "powershell" };
  }
  if (program === "invoke-expression") {
    const words = texts.filter((text) => !/^-command$/iu.test(text));
    const text = words.length === 0 ? input : words.join(" ");
    return text === null ? null : { text, language: "powershell" };
  }
  return program === "start-process" ? ofStarted(texts) : null;
}

/** In Git's shell for Windows an option of cmd begins with two slashes. */
function ofCmd(texts: readonly string[]): LooseScript | null {
  const plain = texts.map((text) => text.replace(/^\/\/(?=[A-Za-z](?:$|:))/u, "/"));
  const at = plain.findIndex((text) => /^\/[ck]$/iu.test(text));
  return at === -1 ? null : { text: plain.slice(at + 1).join(" "), language: "cmd" };
}

function ofPowerShell(program: string, texts: readonly string[]): LooseScript | null {
  const at = texts.findIndex((text) => powershellOption.test(text));
  // Without an option powershell takes its words as a command.
  const isCommand = at === -1 && program === "powershell" && !/^-|\.ps1$/iu.test(texts[0] ?? "-");
  if (at === -1 && !isCommand) return null;
  const rest = texts.slice(at + 1).join(" ");
  const isEncoded = /^-e/iu.test(texts[at] ?? "");
  return { text: isEncoded ? Buffer.from(rest, "base64").toString("utf16le") : rest, language: "powershell" };
}

/** Returns the command that Start-Process starts, whose words may be a list with commas. */
function ofStarted(texts: readonly string[]): LooseScript | null {
  const words: string[] = [];
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? "";
    if (/^-a(?:rg\w*)?$/iu.test(text)) {
      words.push(texts[at + 1] ?? "");
      at += 1;
    } else if (!text.startsWith("-")) words.push(text);
    else if (!bareOptions.test(text) && !/^-f\w*$/iu.test(text)) at += 1;
  }
  return words.length < 2 ? null : { text: words.join(" ").replaceAll(",", " "), language: "powershell" };
}
