import { render } from 'preact';
import { api, ask } from './shell/api.ts';
import { Frame } from './shell/frame.tsx';
import { Loaded, useLoad } from './shell/load.tsx';
import { keepSettings } from './shell/settings.ts';
import { showFirstLanguage } from './texts/texts.ts';

/** Reads what runs here and the texts of the reader's language. */
async function readFirst() {
  const read = await ask(api.GET('/portal.json'));
  // Without its texts, the pages are in English.
  if (read.ok) await showFirstLanguage(read.data.defaultLanguage).catch(() => undefined);
  return read;
}

/** Shows the page that the fragment names. */
const Portal = () => {
  const loading = useLoad(readFirst);
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
