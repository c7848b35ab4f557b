import { isObject } from '../json.ts';
import type { Content, Part } from './model.ts';

const URL_CONTEXT = 'URL_CONTEXT';

/**
 * Converts the metadata of Gemini's URL context (`urlContextMetadata`) to the call that it reports, with the pages as the
 * result, in the parts that Gemini has for calls of its own tools: files of ADK have no field for the metadata.
 *
 * @param parts The parts of the answer with the metadata.
 * @returns `null` if the metadata has no URL, or if the parts hold the call already.
 */
export function urlContextCall(metadata: unknown, parts: readonly Part[]): Content | null {
  const pages = isObject(metadata) ? (metadata.urlMetadata ?? metadata.url_metadata) : undefined;
  if (!Array.isArray(pages) || parts.some(({ toolCall }) => isOfUrlContext(toolCall))) return null;
  const urls = pages.flatMap((page: unknown) => {
    const url = isObject(page) ? (page.retrievedUrl ?? page.retrieved_url) : undefined;
    return typeof url === 'string' ? [url] : [];
  });
  if (urls.length === 0) return null;
  return {
    role: 'model',
    parts: [
      { toolCall: { toolType: URL_CONTEXT, args: { urls } } },
      { toolResponse: { toolType: URL_CONTEXT, response: { urlMetadata: pages } } },
    ],
  };
}

/**
 * Whether a part is one of `urlContextCall`. Models must not be sent such parts, because a service gives its own calls
 * ids, and accepts no others.
 */
export function isOfMetadata({ toolCall, toolResponse }: Part): boolean {
  const own = toolCall ?? toolResponse;
  return isObject(own) && isOfUrlContext(own) && !own.id;
}

function isOfUrlContext(value: unknown): boolean {
  return isObject(value) && (value.toolType ?? value.tool_type) === URL_CONTEXT;
}
