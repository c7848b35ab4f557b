import { honestDifferences as honestOfCore, adkDifferences as ofCore } from '@agent-criteria/core';
import { adkDifferences as ofHallucination } from '../../packages/criteria-hallucination/src/adk-differences.ts';
import { adkDifferences as ofLlmJudge } from '../../packages/criteria-llm-judge/src/adk-differences.ts';
import { adkDifferences as ofRouge } from '../../packages/criteria-rouge/src/adk-differences.ts';
import {
  honestDifferences as honestOfSafety,
  adkDifferences as ofSafety,
} from '../../packages/criteria-safety/src/adk-differences.ts';
import { adkDifferences as ofTrajectory } from '../../packages/criteria-trajectory/src/adk-differences.ts';
import { adkDifferences as ofVertex } from '../../packages/criteria-vertex/src/adk-differences.ts';
import {
  honestDifferences as honestOfUsers,
  adkDifferences as ofUsers,
} from '../../packages/user-simulator/src/adk-differences.ts';

// The lines of docs/adk-parity.md, which say why a row differs.

const ofCriteria = [
  ...ofHallucination,
  ...ofLlmJudge,
  ...ofRouge,
  ...ofSafety,
  ...ofTrajectory,
  ...ofVertex,
  ...ofUsers,
];

/** Numbers, which compat mode switches. */
export const linesOfListA: ReadonlySet<string> = new Set([...ofCore, ...ofCriteria].map(({ id }) => id));
/** Honesty, which nothing switches off. */
const linesOfListB: ReadonlySet<string> = new Set(
  [...honestOfCore, ...honestOfSafety, ...honestOfUsers].map(({ id }) => id),
);

/** On which list a line stands; `null`: on none. */
export function listOf(line: string): 'A' | 'B' | null {
  if (linesOfListA.has(line)) return 'A';
  return linesOfListB.has(line) ? 'B' : null;
}
