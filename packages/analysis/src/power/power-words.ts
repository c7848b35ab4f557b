import { counted } from '@agent-criteria/core/host';
import { pointsText } from '../number-words.ts';
import type { AnnouncedPower, DropPower } from './announced-power.ts';

/**
 * Which fall is most likely found: `a fall of about 10 points if all cases get a little worse, of about 15 points if some cases
 * break`. `null`: none is, however large.
 */
export function powerWords({ all, some, groups }: Pick<AnnouncedPower, 'all' | 'some' | 'groups'>): string | null {
  if (all.found === null && some.found === null) return null;
  if (all.found === some.found) return `a fall of about ${pointsText(all.found as number)}`;
  const [a, b] = [sizeWords(all), sizeWords(some)];
  return `a fall of ${a} if all cases get a little worse, of ${b} if some ${groups === null ? 'cases' : 'groups'} break`;
}

function sizeWords({ found }: DropPower): string {
  return found === null ? 'no size' : `about ${pointsText(found)}`;
}

/** The sentence of a report, without its full stop. */
export function powerSentence(power: AnnouncedPower): string {
  const found = powerWords(power);
  const { minEffect, all, some, groups, cases, measured } = power;
  const these = groups === null ? 'these cases' : `these cases in ${counted(groups, 'group')}`;
  const pessimistic = measured ? '' : '; smaller ones perhaps, which takes repeats to know';
  if (found === null) {
    const more =
      groups === null
        ? `${counted(cases, 'case')} that ran ${power.repeats === 1 ? 'once' : `${power.repeats} times`}`
        : counted(groups, 'group');
    return `comparing two runs of ${these} would most likely miss any fall of the pass rate: ${more} are too few`;
  }
  const smallest = Math.max(all.ofMinEffect, some.ofMinEffect);
  return `comparing two runs of ${these} would find ${found} in 8 of 10 tries${pessimistic}, and one of ${pointsText(minEffect)} in ${timesInTen(smallest)}`;
}

/** `5 of 10`, `fewer than 1 of 10`. */
export function timesInTen(chance: number): string {
  const times = Math.round(chance * 10);
  return times === 0 ? 'fewer than 1 of 10' : times === 10 ? 'nearly all' : `about ${times} of 10`;
}
