import { useEffect, useRef, useState } from 'preact/hooks';
import { Help } from './help.tsx';
import { SkipLink, type Theme, ThemeButton } from './page-tools.tsx';
import type { RunSource } from './run-source.ts';
import { RunView } from './run-view.tsx';
import { useKeys } from './use-keys.ts';

export function App({ source, printing }: { readonly source: RunSource; readonly printing: boolean }) {
  const [theme, setTheme] = useState<Theme>('auto');
  const [keysOn, setKeysOn] = useState(true);
  const [helping, setHelping] = useState(false);
  const main = useRef<HTMLElement>(null);
  const [isCase, setIsCase] = useState(() => location.hash.startsWith('#/case/'));
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  useKeys(keysOn && !helping, { '?': () => setHelping(true) });
  const tools = (
    <div class="tools">
      <ThemeButton theme={theme} set={setTheme} />
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
