import { type ServerOptions, startServer } from '../servers/server.ts';

// A process of its own with a server of the settings that its parent sends, until the parent goes; it answers with the URL.
process.once('disconnect', () => process.exit());
process.once('message', async (settings: ServerOptions['settings']) => {
  const { url } = await startServer({ settings, store: 'memory' });
  process.send?.({ url });
});
