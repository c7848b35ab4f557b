import { counted } from '@agent-criteria/core/host';
import { safe } from '@agent-criteria/report/terminal';
import { type Comparison, differenceText } from '@agent-criteria/results/adk';

/** The largest number of differences that are listed. */
const MOST = 50;

/** Lists the differences from the scores that ADK recorded, unexplained ones first. */
export function comparisonText(comparison: Comparison): string {
  const { scores, equal, explained, differences } = comparison;
  const sorted = differences.toSorted((a, b) => Number(a.explained) - Number(b.explained));
  const lines = sorted.slice(0, MOST).map((one) => `  ${safe(differenceText(one))}`);
  const more = differences.length - lines.length;
  if (more > 0) lines.push(`  … and ${counted(more, 'more difference')}; --json has all of them`);
  const total =
    differences.length === 0 ? 'no difference' : `${counted(differences.length, 'difference')}, ${explained} explained`;
  return [`Compared with ADK: ${equal} of ${counted(scores, 'score')} equal, ${total}`, ...lines]
    .map((line) => `${line}\n`)
    .join('');
}
