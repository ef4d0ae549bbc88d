import type { Argument } from "../commands/invocation.ts";
import { valuedOptions } from "./valued-options.ts";

/** Programs with long options after a single dash: their letters are not separate options. */
const singleDash = new Set(
  "terraform tofu terragrunt java javac find go openssl ffmpeg convert vault consul nomad packer sqlite3 dotnet msbuild remove-item invoke-webrequest invoke-expression format-volume clear-disk stop-process start-process set-executionpolicy get-childitem set-content move-item copy-item qemu-img xcodebuild as gradle mvn security xxd get-content add-content out-file new-item set-itemproperty remove-itemproperty invoke-restmethod set-mppreference add-mppreference new-localuser clear-content restart-computer stop-computer clear-recyclebin initialize-disk remove-partition set-service stop-service set-acl".split(
    " ",
  ),
);

/** PowerShell commands: a verb and a noun. Their options also have several letters after one dash. */
const cmdlet =
  /^(?:add|clear|compress|copy|disable|dismount|enable|expand|export|format|get|import|initialize|install|invoke|move|new|out|register|remove|rename|repair|reset|resize|restart|restore|resume|select|set|start|stop|suspend|test|uninstall|unregister|update|wait|write)-[a-z]+$/u;

/** Windows programs with options after a slash. */
const slashed = new Set(
  "rd del format rmdir erase reg attrib taskkill xcopy robocopy vssadmin wmic bcdedit schtasks takeown icacls cipher net sc shutdown wevtutil diskpart rundll32 mklink forfiles".split(
    " ",
  ),
);

/** A command's options and operands. */
export interface Options {
  readonly flags: readonly string[];
  readonly operands: readonly Argument[];
  /** All values of each option, which may be repeated: the next word, or the text after `=`. */
  readonly values: ReadonlyMap<string, readonly Argument[]>;
}

/** Splits a command's words into options and operands. An option's value is neither. */
export function readOptions(program: string, args: readonly Argument[]): Options {
  let takesValue = valuedOptions(program);
  const isSingleDash = singleDash.has(program);
  const isSlashed = slashed.has(program);
  const hasLetters = !isSingleDash && !cmdlet.test(program);
  const flags: string[] = [];
  const operands: Argument[] = [];
  const values = new Map<string, Argument[]>();
  const addValue = (option: string, value: Argument): void => {
    const known = values.get(option);
    if (known === undefined) values.set(option, [value]);
    else known.push(value);
  };
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined) break;
    const { text } = arg;
    if (text === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    const isOption =
      (text.startsWith("-") && text.length > 1) || (isSlashed && /^\/[A-Za-z?]{1,3}(?::.*)?$/u.test(text));
    if (!isOption) {
      if (operands.length === 0) takesValue = valuedOptions(program, text);
      operands.push(arg);
      continue;
    }
    const equals = text.indexOf("=");
    if (equals !== -1 && (text.startsWith("--") || isSingleDash)) {
      flags.push(text.slice(0, equals));
      addValue(text.slice(0, equals), { ...arg, text: text.slice(equals + 1) });
      continue;
    }
    if (hasLetters) addLetters(flags, text, takesValue);
    else flags.push(text);
    const last = flags.at(-1) ?? text;
    const next = args[at + 1];
    // Letters before the one that takes the value: `-p` itself, or the `-sX` of `-sXDELETE`.
    const before = last.length === 2 && !takesValue.has(text) ? text.indexOf(last.slice(1), 1) + 1 : 0;
    const isAttached = before > 0 && before < text.length && !text.startsWith("--") && takesValue.has(last);
    if (isAttached) addValue(last, { ...arg, text: text.slice(before) });
    else if (text.length > 2 && !text.startsWith("--") && takesValue.has(text.slice(0, 2)))
      addValue(text.slice(0, 2), { ...arg, text: text.slice(2) });
    else if ((takesValue.has(text) || takesValue.has(last)) && next !== undefined) {
      addValue(takesValue.has(text) ? text : last, next);
      at += 1;
    }
  }
  return { flags, operands, values };
}

/** Adds an option, and for `-rf` also `-r` and `-f`, up to a letter that takes a value. */
function addLetters(flags: string[], text: string, takesValue: ReadonlySet<string>): void {
  flags.push(text);
  if (takesValue.has(text) || !/^-[A-Za-z0-9]{2,}$/u.test(text)) return;
  for (const letter of text.slice(1)) {
    const flag = `-${letter}`;
    flags.push(flag);
    if (takesValue.has(flag)) break;
  }
}

/** Programs of GNU, and git, accept a shortened long option from this length on. Characters. */
const minBeginningLength = 5;

/** Tests whether a command has an option, maybe shortened: `--recurs`. PowerShell also accepts shortened options. */
export function hasFlag({ flags }: Options, flag: string): boolean {
  if (flags.includes(flag)) return true;
  if (flag.startsWith("--"))
    return flags.some(
      (each) => each.length >= minBeginningLength && each.startsWith("--") && flag.startsWith(each),
    );
  const isPowerShell = /^-[A-Z]/u.test(flag) && flag.length > 3;
  const lower = flag.toLowerCase();
  return isPowerShell && flags.some((each) => each.length > 1 && lower.startsWith(each.toLowerCase()));
}
