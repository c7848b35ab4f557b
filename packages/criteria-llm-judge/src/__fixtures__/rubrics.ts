import type { Rubric } from '@agent-criteria/core';

type Readable = Rubric & { readonly rubricContent: { readonly textProperty: string } };

/** Creates a rubric from a few words. */
export function rubric(rubricId: string, type?: string, text = `It has the property ${rubricId}.`): Readable {
  return { rubricId, rubricContent: { textProperty: text }, type };
}
