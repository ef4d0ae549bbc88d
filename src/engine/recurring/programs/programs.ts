import type { HandoverWord } from "../../continuity/handover.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import type { AgentProgram } from "./program.ts";

export const agentPrograms: Readonly<Record<HandoverWord, AgentProgram>> = { claude, codex, copilot, gemini };
