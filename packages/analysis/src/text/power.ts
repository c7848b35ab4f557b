import { counted } from '@agent-criteria/core/host';
import type { AnnouncedPower } from '../power/announced-power.ts';
import { pointsText } from './numbers.ts';

/**
 * Describes the fall that would most likely be found: `a fall of about 10 points if all cases get a little worse, or
 * about 15 points if some cases break`. Returns `null` if there is none.
 */
export function powerWords({ all, some, groups }: Pick<AnnouncedPower, 'all' | 'some' | 'groups'>): string | null {
  if (all.found === null && some.found === null) return null;
  if (all.found === null) return `a fall of about ${pointsText(some.found as number)} ${broken(groups)}`;
  const first = `a fall of about ${pointsText(all.found)}`;
  if (all.found === some.found) return first;
  if (some.found === null) return `${first} ${LITTLE}, but none ${broken(groups)}`;
  return `${first} ${LITTLE}, or about ${pointsText(some.found)} ${broken(groups)}`;
}

const LITTLE = 'if all cases get a little worse';

function broken(groups: number | null): string {
  return `if some ${groups === null ? 'cases' : 'groups'} break`;
}

/** Describes the power of a comparison, without a full stop. */
export function powerSentence(power: AnnouncedPower): string {
  const { minEffect, all, some, groups, cases, repeats, measured } = power;
  const found = powerWords(power);
  const these = groups === null ? 'these cases' : `these cases in ${counted(groups, 'group')}`;
  if (found === null) {
    const often = repeats === 1 ? 'run once' : `run ${repeats} times`;
    const few = groups === null ? `${counted(cases, 'case')} ${often}` : counted(groups, 'group');
    return `comparing two runs of these cases would most likely miss any fall of the pass rate: ${few} ${(groups ?? cases) === 1 ? 'is' : 'are'} too few`;
  }
  const pessimistic = measured ? '' : ' (perhaps a smaller one, which repeats would show)';
  const [ofAll, ofSome] = [timesInTen(all.ofMinEffect), timesInTen(some.ofMinEffect)];
  const often = ofAll === ofSome ? ofAll : `${ofAll} ${LITTLE}, or ${ofSome} ${broken(groups)}`;
  return `comparing two runs of ${these} would find, 8 times in 10, ${found}${pessimistic}; a fall of ${pointsText(minEffect)}, ${often}`;
}

function timesInTen(chance: number): string {
  const times = Math.round(chance * 10);
  if (times === 0) return 'less than 1 time in 10';
  return times === 10 ? 'nearly always' : `about ${times} ${times === 1 ? 'time' : 'times'} in 10`;
}
