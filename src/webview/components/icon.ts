import add from "@vscode/codicons/src/icons/add.svg";
import arrowLeft from "@vscode/codicons/src/icons/arrow-left.svg";
import arrowSwap from "@vscode/codicons/src/icons/arrow-swap.svg";
import beaker from "@vscode/codicons/src/icons/beaker.svg";
import check from "@vscode/codicons/src/icons/check.svg";
import circleSlash from "@vscode/codicons/src/icons/circle-slash.svg";
import close from "@vscode/codicons/src/icons/close.svg";
import chevronDown from "@vscode/codicons/src/icons/chevron-down.svg";
import disconnect from "@vscode/codicons/src/icons/debug-disconnect.svg";
import error from "@vscode/codicons/src/icons/error.svg";
import exportIcon from "@vscode/codicons/src/icons/export.svg";
import gitCompare from "@vscode/codicons/src/icons/git-compare.svg";
import goToFile from "@vscode/codicons/src/icons/go-to-file.svg";
import graph from "@vscode/codicons/src/icons/graph-line.svg";
import inbox from "@vscode/codicons/src/icons/inbox.svg";
import info from "@vscode/codicons/src/icons/info.svg";
import pause from "@vscode/codicons/src/icons/debug-pause.svg";
import play from "@vscode/codicons/src/icons/play.svg";
import plug from "@vscode/codicons/src/icons/plug.svg";
import search from "@vscode/codicons/src/icons/search.svg";
import stop from "@vscode/codicons/src/icons/debug-stop.svg";
import sync from "@vscode/codicons/src/icons/sync.svg";
import table from "@vscode/codicons/src/icons/table.svg";
import watch from "@vscode/codicons/src/icons/watch.svg";
import warning from "@vscode/codicons/src/icons/warning.svg";

const drawings = {
  compare: gitCompare,
  handover: arrowSwap,
  info,
  warning,
  error,
  table,
  graph,
  search,
  inbox,
  disconnect,
  add,
  beaker,
  check,
  close,
  pause,
  play,
  plug,
  stop,
  sync,
  watch,
  back: arrowLeft,
  expand: chevronDown,
  none: circleSlash,
  export: exportIcon,
  file: goToFile,
} as const;
export type IconName = keyof typeof drawings;

const parsed = new Map<IconName, Element>();

/** A drawing beside words with the same meaning. Screen readers skip it. */
export function icon(name: IconName): Node {
  let drawing = parsed.get(name);
  if (drawing === undefined) {
    drawing = new DOMParser().parseFromString(drawings[name], "image/svg+xml").documentElement;
    drawing.setAttribute("class", "icon");
    drawing.setAttribute("aria-hidden", "true");
    parsed.set(name, drawing);
  }
  return document.importNode(drawing, true);
}
