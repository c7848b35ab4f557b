import {
  type FakeServer,
  fittingAnswer,
  says,
  startFakeAdkServer,
  startFakeGemini,
} from '@agent-criteria/test-servers';
import type { CorpusEntry } from './command.ts';

/** A fake of a service that finds everything good, or of an agent that says everything back. */
export function startServer(name: NonNullable<CorpusEntry['server']>): Promise<FakeServer> {
  if (name === 'gemini') return startFakeGemini({ answer: fittingAnswer(() => undefined) });
  const desk = ({ text }: { readonly text: string }) => [says(text.replace(/^say /, ''))];
  return startFakeAdkServer({ apps: { desk } });
}
