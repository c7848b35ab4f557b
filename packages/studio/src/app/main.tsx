import { render } from 'preact';
import { followAddress } from './router.ts';
import { Shell } from './shell.tsx';
import { loadInfo } from './store.ts';

const root = document.getElementById('app');
if (root !== null) {
  root.replaceChildren();
  followAddress();
  void loadInfo();
  render(<Shell />, root);
}
