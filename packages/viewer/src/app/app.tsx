import { useRef, useState } from 'preact/hooks';
import { Help } from './help.tsx';
import { PageTheme, SkipLink } from './page-tools.tsx';
import type { RunSource } from './run-source.ts';
import { RunView } from './run-view.tsx';
import { useKeys } from './use-keys.ts';

export function App({ source, printing }: { readonly source: RunSource; readonly printing: boolean }) {
  const [keysOn, setKeysOn] = useState(true);
  const [helping, setHelping] = useState(false);
  const main = useRef<HTMLElement>(null);
  const [isCase, setIsCase] = useState(() => location.hash.startsWith('#/case/'));
  useKeys(keysOn && !helping, { '?': () => setHelping(true) });
  const tools = (
    <div class="tools">
      <PageTheme />
      <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => setHelping(true)}>
        Help
      </button>
    </div>
  );
  return (
    <>
      <SkipLink to={isCase ? 'the case' : 'the cases'} />
      <RunView
        source={source}
        printing={printing}
        keysOn={keysOn && !helping}
        tools={tools}
        main={main}
        onView={(view) => setIsCase(view === 'case')}
      />
      {helping && (
        <Help keysOn={keysOn} setKeysOn={setKeysOn} licences={source.licences} close={() => setHelping(false)} />
      )}
    </>
  );
}
