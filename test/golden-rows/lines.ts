import { honestDifferences as honestOfCore, adkDifferences as ofCore } from '../../packages/core/adk-differences.ts';
import {
  honestDifferences as honestOfEfficiency,
  adkDifferences as ofEfficiency,
} from '../../packages/criteria-efficiency/adk-differences.ts';
import { adkDifferences as ofHallucination } from '../../packages/criteria-hallucination/adk-differences.ts';
import { adkDifferences as ofLlmJudge } from '../../packages/criteria-llm-judge/adk-differences.ts';
import { adkDifferences as ofRouge } from '../../packages/criteria-rouge/adk-differences.ts';
import {
  honestDifferences as honestOfSafety,
  adkDifferences as ofSafety,
} from '../../packages/criteria-safety/adk-differences.ts';
import { adkDifferences as ofTrajectory } from '../../packages/criteria-trajectory/adk-differences.ts';
import { adkDifferences as ofVertex } from '../../packages/criteria-vertex/adk-differences.ts';
import {
  honestDifferences as honestOfUsers,
  adkDifferences as ofUsers,
} from '../../packages/user-simulator/adk-differences.ts';

// The entries of docs/adk-parity.md, which explain why a row differs.

const ofCriteria = [
  ...ofEfficiency,
  ...ofHallucination,
  ...ofLlmJudge,
  ...ofRouge,
  ...ofSafety,
  ...ofTrajectory,
  ...ofVertex,
  ...ofUsers,
];

/** Differences in numbers, which compat mode removes. */
export const linesOfListA: ReadonlySet<string> = new Set([...ofCore, ...ofCriteria].map(({ id }) => id));
/** Differences that keep verdicts honest, which no mode removes. */
const linesOfListB: ReadonlySet<string> = new Set(
  [...honestOfCore, ...honestOfEfficiency, ...honestOfSafety, ...honestOfUsers].map(({ id }) => id),
);

/** Returns the list that an entry is on, or `null` if it is on none. */
export function listOf(line: string): 'A' | 'B' | null {
  if (linesOfListA.has(line)) return 'A';
  return linesOfListB.has(line) ? 'B' : null;
}
