import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createContext, runInContext } from 'node:vm';
import { expect } from 'chai';
import { DocsPage } from '../../adapters/http/handlers/docs-page.ts';
import { PACKAGE_ROOT } from '../../composition/root.ts';

/** Lists of Swagger UI, which are those of Immutable. */
interface Groups {
  toJS(): Record<string, { operations: { operation: { operationId: string } }[] }>;
}

/** What of Swagger UI's system the tests read. */
interface SwaggerSystem {
  specSelectors: { taggedOperations(): Groups };
  layoutSelectors: { isShown(place: string[], otherwise: boolean): boolean };
  layoutActions: { updateFilter(text: string): void };
}

const SPEC = {
  openapi: '3.1.0',
  info: { title: 'API', version: '1' },
  tags: [{ name: 'issuer' }, { name: 'verifier' }],
  paths: {
    '/offers': { get: { operationId: 'readOffers', summary: 'List offers', tags: ['issuer'] } },
    '/keys': { get: { operationId: 'readKeys', summary: 'List keys', tags: ['issuer'] } },
    '/sessions': { post: { operationId: 'createSession', summary: 'Ask a wallet', tags: ['verifier'] } },
  },
};

/** Runs the script of the page with the real Swagger UI, which has no element to show itself in. */
async function runPage(): Promise<SwaggerSystem> {
  const element = () => ({ style: {}, setAttribute: () => {}, appendChild: () => {} });
  const globals: Record<string, unknown> = {
    ...{ console, setTimeout, clearTimeout, URL, URLSearchParams, TextEncoder, TextDecoder, Blob, File: class {} },
    ...{ AbortController, Headers, Request, Response, FormData, Event, EventTarget, DOMException, crypto, btoa, atob },
    ...{ ReadableStream, WritableStream, TransformStream, Element: class {}, HTMLElement: class {}, Node: class {} },
    ...{ navigator: { userAgent: '', platform: '' }, location: new URL('http://127.0.0.1/docs'), performance },
    ...{ addEventListener: () => {}, requestAnimationFrame: setTimeout, history: { pushState: () => {} } },
    document: {
      ...{ createElement: element, createElementNS: element, createTextNode: element, createComment: element },
      ...{ querySelector: () => null, getElementById: () => null, addEventListener: () => {} },
      ...{ documentElement: element(), head: element(), body: element() },
    },
  };
  Object.assign(globals, { window: globals, self: globals });
  createContext(globals);
  const bundle = createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui-bundle.js');
  runInContext(readFileSync(bundle, 'utf8'), globals);
  const start = globals.SwaggerUIBundle as (config: object) => { getSystem(): SwaggerSystem };
  let system: SwaggerSystem | undefined;
  globals.SwaggerUIBundle = ({ url: _, dom_id: __, ...config }: Record<string, unknown>) => {
    expect(config).to.include({ filter: true, docExpansion: 'none' });
    system = start({ ...config, spec: SPEC }).getSystem();
  };
  const page = new DocsPage({
    contract: { published: SPEC, publishedFor: () => SPEC },
    pages: new URL('docs/', PACKAGE_ROOT),
  });
  const { body } = (await (await page.asset('page.js')).answer({})) as { body: Uint8Array };
  runInContext(Buffer.from(body).toString(), globals);
  if (!system) throw new Error('The page did not start Swagger UI');
  return system;
}

describe('the API page', () => {
  let ui: SwaggerSystem;
  before(async () => {
    ui = await runPage();
  });

  const shown = () =>
    Object.fromEntries(
      Object.entries(ui.specSelectors.taggedOperations().toJS()).map(([name, { operations }]) => [
        name,
        operations.map(({ operation }) => operation.operationId),
      ]),
    );
  const isOpen = (name: string) => ui.layoutSelectors.isShown(['operations-tag', name], false);

  it('begins with all groups closed', () => {
    expect(shown()).to.deep.equal({ issuer: ['readOffers', 'readKeys'], verifier: ['createSession'] });
    expect([isOpen('issuer'), isOpen('verifier')]).to.deep.equal([false, false]);
  });

  it('finds operations by their group, path, id and summary, in any letter case, and opens their groups', () => {
    const cases: [string, object][] = [
      ['issuer', { issuer: ['readOffers', 'readKeys'] }],
      ['/offers', { issuer: ['readOffers'] }],
      ['CREATEsession', { verifier: ['createSession'] }],
      ['ask a', { verifier: ['createSession'] }],
      ['nothing', {}],
    ];
    for (const [text, found] of cases) {
      ui.layoutActions.updateFilter(text);
      expect(shown(), text).to.deep.equal(found);
      expect(isOpen('issuer'), text).to.equal(true);
    }
    ui.layoutActions.updateFilter('');
    expect(isOpen('issuer')).to.equal(false);
  });
});
