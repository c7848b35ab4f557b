import { describe, expect, it } from 'vitest';
import type { Content } from './model.ts';
import { recordedEvents } from './recorded-events.ts';
import { allToolSteps } from './server-side-calls.ts';
import { urlContextCall } from './url-context.ts';

const urlMetadata = [
  { retrievedUrl: 'https://a.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' },
  { retrievedUrl: 'https://b.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_PAYWALL' },
];

const stepsOf = (content: Content | null) =>
  allToolSteps({
    userContent: { parts: [{ text: 'Read it.' }] },
    finalResponse: { parts: [{ text: 'Done.' }] },
    intermediateData: { invocationEvents: [{ author: 'desk', content }] },
  });

describe('urlContextCall()', () => {
  it('is a call of url_context with the pages, and what became of each as its result', () => {
    const content = urlContextCall({ urlMetadata }, []);
    expect(stepsOf(content)).toMatchObject([
      {
        call: { name: 'url_context', args: { urls: ['https://a.example', 'https://b.example'] } },
        response: { response: { urlMetadata } },
      },
    ]);
  });

  it('reads the spelling of Python', () => {
    const content = urlContextCall({ url_metadata: [{ retrieved_url: 'https://a.example' }] }, []);
    expect(stepsOf(content)[0]?.call.args).toEqual({ urls: ['https://a.example'] });
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['no page', { urlMetadata: [] }],
    ['another form', { urlMetadata: 'https://a.example' }],
    ['pages without an address', { urlMetadata: [{}, 1] }],
  ])('is null for metadata with %s', (_what, metadata) => {
    expect(urlContextCall(metadata, [])).toBeNull();
  });

  it('is null if the parts of the answer hold the call of the service itself', () => {
    const own = { toolCall: { id: '1', toolType: 'URL_CONTEXT', args: { urls: ['https://a.example'] } } };
    expect(urlContextCall({ urlMetadata }, [own])).toBeNull();
  });

  it('is not sent to a model with earlier turns, while calls that the service gave an id are', () => {
    const own = { role: 'model', parts: [{ toolCall: { id: '1', toolType: 'URL_CONTEXT' } }] };
    const events = recordedEvents(
      {
        userContent: { parts: [{ text: 'Read it.' }] },
        intermediateData: {
          invocationEvents: [
            { author: 'desk', content: urlContextCall({ urlMetadata }, []) },
            { author: 'desk', content: own },
          ],
        },
        finalResponse: { parts: [{ text: 'Done.' }] },
      },
      'desk',
      'e-1',
    );
    expect(events.map(({ content }) => content.parts?.[0])).toEqual([
      { text: 'Read it.' },
      own.parts[0],
      { text: 'Done.' },
    ]);
  });
});
