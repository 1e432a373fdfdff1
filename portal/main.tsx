import { render } from 'preact';
import { api, ask } from './shell/api.ts';
import { Frame } from './shell/frame.tsx';
import { Loaded, useLoad } from './shell/load.tsx';
import { keepSettings } from './shell/settings.ts';

/** Reads what runs here, then shows the page that the fragment names. */
const Portal = () => {
  const loading = useLoad(() => ask(api.GET('/portal.json')));
  return (
    <Loaded of={loading}>
      {(read) => {
        keepSettings(read);
        return <Frame />;
      }}
    </Loaded>
  );
};

const root = document.getElementById('app');
if (root) render(<Portal />, root);
