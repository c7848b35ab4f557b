import { covarianceOf, meanOf, varianceOf } from './moments.ts';
import { checkLabelled, type Labelled, normalInterval } from './ppi-mean.ts';
import { narrowest, type PpiPlusPlusInterval } from './ppi-plus-plus-mean.ts';
import { type Unknown, unknown } from './unknown.ts';

/**
 * `ppiPlusPlusMean` where the weight of the judge for each label is chosen from the other labels only.
 */
export function ppiPlusPlusMeanCrossFit(data: Labelled): PpiPlusPlusInterval | Unknown {
  const problem = checkLabelled(data);
  if (problem !== undefined) return problem;
  return unknown(`${covarianceOf} ${meanOf} ${varianceOf} ${normalInterval} ${narrowest}`);
}
