import type { Rubric } from '@agent-criteria/core';

/** A rubric in few words. */
export function rubric(rubricId: string, type?: string, text = `It has the property ${rubricId}.`): Rubric {
  return { rubricId, rubricContent: { textProperty: text }, ...(type === undefined ? {} : { type }) };
}
