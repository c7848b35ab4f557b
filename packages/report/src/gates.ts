import type { GateRecord } from '@agent-criteria/results';
import { gatesText, gateTitle, gateWord, type RunWithOutcome, shownOutcome } from '@agent-criteria/results/text';
import { fitted } from './prose.ts';
import { type ConsoleOptions, styleOf } from './style.ts';
import { safe } from './terminal.ts';

/** Returns the first line for a run in which gates alone decide, or `null` for other runs. */
export function decidedText(run: RunWithOutcome): string | null {
  const { decided, headline } = shownOutcome(run);
  return decided ? headline : null;
}

/** Formats the lines below a run's counts: its gates, one per line, then the problems and notes from its outcome. */
export function consoleOutcome(run: RunWithOutcome, options: ConsoleOptions = {}): string {
  const style = styleOf(options);
  const { colors } = style;
  const { gates, exitCode, decided, problems, notes } = shownOutcome(run);
  const lines = gates.map((gate) => {
    const paint = gate.holds === null ? colors.yellow : gate.holds ? colors.green : colors.red;
    return `  ${safe(gateTitle(gate))} ${paint(gateWord(gate))}: ${safe(gate.text)}\n`;
  });
  const head = gates.length === 0 ? '' : `${colors.bold(gates.length === 1 ? 'Gate' : 'Gates')}\n`;
  const isTurned = gates.length > 0 && !decided && exitCode !== run.summary.exitCode && problems.length === 0;
  const turned = isTurned ? `Exit code ${exitCode}: ${gatesText(gates)}.\n` : '';
  const others = [...problems, ...notes].map((note) => `${colors.yellow(safe(note))}\n`);
  return fitted(`${head}${lines.join('')}${turned}${others.join('')}`, style);
}

/** Formats `baseline 20261121-131500-k3f9, sha256 0123456789ab`, or returns `null` if the gate needs no baseline. */
export function baselineText({ baseline }: GateRecord): string | null {
  return baseline === undefined ? null : `baseline ${baseline.id}, sha256 ${baseline.hash.slice(0, 12)}`;
}
