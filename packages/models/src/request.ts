import type { LanguageModel, ModelRequest } from '@agent-criteria/core';

/** A request apart from which sample it is, with what the model adds to it. */
export function requestOf(
  { settings: added = {} }: Pick<LanguageModel, 'settings'>,
  { sample, ...request }: ModelRequest,
): { readonly request: unknown; readonly sample: number } {
  return { request: Object.keys(added).length === 0 ? request : { ...request, added }, sample };
}
