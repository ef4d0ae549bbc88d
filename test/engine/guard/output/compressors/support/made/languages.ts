import type { MadeOutput } from "./draw.ts";

/** Outputs in other languages and encodings. */
export const languages: readonly MadeOutput[] = [
  {
    name: "german-backup",
    command: "./sicherung.sh",
    lines: (draw) =>
      draw.rows(
        70,
        (at) =>
          `${draw.time(at * 3)} Datei ${draw.name("/")}-${at}.dat gesichert (${draw.between(10, 90)} KB, geprüft)`,
      ),
  },
  {
    name: "german-tests",
    command: "./pruefe",
    lines: (draw) => [
      ...draw.rows(70, (at) => `[${at + 1}/70] Liegeplatz ${draw.name("-")} … bestanden`),
      "70 Prüfungen, davon 0 nicht bestanden",
    ],
  },
  {
    name: "japanese-batch",
    command: "./夜間処理.sh",
    lines: (draw) =>
      draw.rows(
        60,
        (at) =>
          `${draw.time(at * 5)} 処理 ${at + 1} 件目: 船 ${draw.name("・")} の積荷 ${draw.between(10, 90)} 個を登録しました`,
      ),
  },
  {
    name: "french-report",
    command: "./rapport.sh",
    lines: (draw) =>
      draw.rows(
        60,
        (at) => `quai ${at + 1} : ${draw.name(" ")} amarré, ${draw.between(10, 90)} tonnes déchargées`,
      ),
  },
  {
    name: "russian-log",
    command: "./журнал.sh",
    lines: (draw) =>
      draw.rows(
        50,
        (at) =>
          `2026-11-28 ${draw.time(at)} причал ${at}: судно ${draw.name("-")} принято, груз ${draw.between(10, 90)} т`,
      ),
  },
  {
    name: "chinese-table",
    command: "./泊位.sh",
    lines: (draw) => [
      "泊位    船名              状态    吨位",
      ...draw.rows(
        70,
        (at) => `${String(at).padEnd(7)} ${draw.name("-").padEnd(17)} 正常    ${draw.between(100, 900)}`,
      ),
    ],
  },
  {
    name: "korean-list",
    command: "./목록.sh",
    lines: (draw) =>
      draw.rows(70, (at) => `${at}번 선석: ${draw.name(" ")} 정상 접안 (${draw.between(10, 90)}톤)`),
  },
  {
    name: "arabic-list",
    command: "./list-ar.sh",
    lines: (draw) => draw.rows(60, (at) => `رصيف ${at}: السفينة ${draw.name("-")} راسية بأمان`),
  },
  {
    name: "spanish-steps",
    command: "./instalar.sh",
    lines: (draw) =>
      draw.rows(70, (at) => `Paso ${at + 1} de 70: instalado el módulo ${draw.name("-")} (correcto)`),
  },
  {
    name: "emoji-steps",
    command: "./deploy",
    lines: (draw) =>
      draw.rows(70, (at) => `✅ ${draw.time(at)} 🚢 ${draw.name("-")} deployed to berth ${at}`),
  },
  {
    name: "utf16-report",
    command: "./old-report.exe",
    lines: (draw) => draw.rows(60, (at) => `row ${at} of ${draw.name()} is fine\r`.split("").join("\u0000")),
  },
  {
    name: "binary-dump",
    command: "./firmware --raw",
    lines: (draw) =>
      draw.rows(40, () =>
        Array.from({ length: 60 }, () => String.fromCharCode(draw.below(255)))
          .join("")
          .replaceAll("\n", " "),
      ),
  },
  {
    name: "coloured-bars",
    command: "./load",
    lines: (draw) =>
      draw.rows(12, (at) =>
        Array.from(
          { length: 25 },
          (_, step) => `\u001B[2K\u001B[32mpart ${at}\u001B[0m ${"#".repeat(step)} ${step * 4} %`,
        ).join("\r"),
      ),
  },
];
