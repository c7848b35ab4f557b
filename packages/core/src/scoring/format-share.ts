import { roundBeside } from './round-beside.ts';

/**
 * A share of 0 to 1 in percent, rounded to one digit after the point, with more of them where it would else read as all, as
 * nothing, or as if it were on the other side of the least share that is wanted.
 */
export function formatShare(share: number, least: number | null = null): string {
  const percent = share * 100;
  const marks = [100, ...(least === null ? [] : [least * 100])];
  const stays = (rounded: number) => marks.every((mark) => Math.sign(rounded - mark) === Math.sign(percent - mark));
  return `${roundBeside(percent, 1, stays)} %`;
}
