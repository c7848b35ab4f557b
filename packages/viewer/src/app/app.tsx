import { useEffect, useRef, useState } from 'preact/hooks';
import { Help } from './help.tsx';
import type { RunSource } from './run-source.ts';
import { RunView } from './run-view.tsx';
import { useKeys } from './use-keys.ts';

type Theme = 'auto' | 'light' | 'dark';
const NEXT_THEME = { auto: 'light', light: 'dark', dark: 'auto' } as const;

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
      <button type="button" class="quiet" onClick={() => setTheme(NEXT_THEME[theme])}>
        Theme: {theme}
      </button>
      <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => setHelping(true)}>
        Help
      </button>
    </div>
  );
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place in the page, which the address must not forget the view for. */}
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the {isCase ? 'case' : 'cases'}
      </a>
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
