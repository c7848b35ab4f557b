import {
  type FakeServer,
  fittingAnswer,
  says,
  startFakeAdkServer,
  startFakeGemini,
} from '@agent-criteria/test-servers';
import type { CorpusEntry } from './command.ts';

/** Starts a fake of a service that approves of everything, or of an agent that echoes every message. */
export function startServer(name: NonNullable<CorpusEntry['server']>): Promise<FakeServer> {
  if (name === 'gemini') return startFakeGemini({ answer: fittingAnswer(() => undefined) });
  const desk = ({ text }: { readonly text: string }) => [says(text.replace(/^say /, ''))];
  return startFakeAdkServer({ apps: { desk } });
}
