import type { AnnouncedPower, PowerPlans } from '@agent-criteria/analysis';
import { percentText, pointsText, powerSentence } from '@agent-criteria/analysis/text';
import { counted } from '@agent-criteria/core/host';
import { type ConversationCosts, type UsageRole, usageRoles } from '@agent-criteria/results';
import { formatCost } from '@agent-criteria/results/text';
import { consoleTable } from './document.ts';
import { fitted } from './prose.ts';
import { type ConsoleOptions, styleOf } from './style.ts';
import { safe } from './terminal.ts';

const CALLS: Readonly<Record<UsageRole, string>> = {
  agent: "agent's calls",
  judge: "judges' calls",
  simulator: "simulated users' calls",
  tools: "simulated tools' calls",
};

/** Formats, for a terminal, which drops a comparison with a run is likely to detect, by number of cases and repeats. */
export function consolePower(
  { own, plans }: PowerPlans,
  each: ConversationCosts,
  name: string,
  options: ConsoleOptions = {},
): string {
  const style = styleOf(options);
  const { colors } = style;
  const roles = usageRoles.filter((role) => (each.calls[role] ?? 0) > 0);
  const priced = usageRoles.filter((role) => typeof each.price[role] === 'number');
  const head = [
    'cases',
    'repeats',
    'all a little worse',
    `some ${own.groups === null ? 'cases' : 'groups'} break`,
    'conversations',
    ...roles.map((role) => CALLS[role]),
    ...(priced.length === 0 ? [] : ['price']),
  ];
  const rows = plans.map(({ cases, repeats, all, some }) => [
    ...[String(cases), String(repeats), foundText(all.found), foundText(some.found)],
    (cases * repeats).toLocaleString('en-US'),
    ...roles.map((role) => Math.round(cases * repeats * (each.calls[role] ?? 0)).toLocaleString('en-US')),
    ...(priced.length === 0 ? [] : [formatCost(cases * repeats * priceOf(each))]),
  ]);
  const paintOwn = (_: string, [cases, repeats]: readonly string[]) =>
    cases === String(own.cases) && repeats === String(own.repeats) ? colors.bold : undefined;
  const lines = [
    `${colors.bold(`Power of a comparison with ${safe(name)}`)}: ${counted(own.cases, 'case')}${own.groups === null ? '' : ` in ${counted(own.groups, 'group')}`}, ${counted(own.repeats, 'repeat')} each, pass rate ${percentText(own.seenPassRate)}`,
    `Now, ${powerSentence(own)}.`,
    `The smallest fall of the pass rate that is called a regression in at least 8 of 10 comparisons (a fall counts from ${pointsText(own.minEffect)} on), and what one run takes:`,
  ];
  const notes = [
    ...(own.passRate === own.seenPassRate ? [] : [assumedText(own)]),
    ...(own.measured
      ? []
      : [
          'Every case ran once, so chance alone is taken to decide each repeat: the worst case. A run with --repeats 3 would measure it.',
        ]),
    'Other rows assume that more cases are like these.',
    ...priceNotes(each, priced),
  ];
  return [
    ...lines.map((line) => fitted(`${line}\n`, style)),
    `\n${consoleTable({ head, rows }, style, paintOwn)}\n\n`,
    ...notes.map((note) => fitted(`${note}\n`, style)),
  ].join('');
}

/** Explains which pass rate is assumed for a run without failures. */
function assumedText({ passRate }: AnnouncedPower): string {
  return `All of them passed, which does not show how often they fail. So a cautious pass rate of ${percentText(passRate)} is assumed, as if there were two cases more and one of them had failed.`;
}

function foundText(found: number | null): string {
  return found === null ? 'none' : pointsText(found);
}

function priceOf({ price }: ConversationCosts): number {
  return Object.values(price).reduce<number>((sum, own) => sum + (typeof own === 'number' ? own : 0), 0);
}

function priceNotes({ price }: ConversationCosts, priced: readonly UsageRole[]): readonly string[] {
  const unknown = usageRoles.flatMap((role) => {
    const own = price[role];
    return own === undefined || typeof own === 'number' ? [] : [`${role}: ${safe(own.unknown)}`];
  });
  if (unknown.length === 0) return [];
  return [`${priced.length === 0 ? 'The price is unknown' : 'Not in the price'}: ${unknown.join('; ')}.`];
}
