import fc from 'fast-check';
import type { Sent } from './load.ts';
import { ORDER } from './orders-document.ts';

/** A generated request, and which rules of ours it breaks that the library does not have. */
export interface Made {
  sent: Sent;
  stricter: string[];
}

/** A change to a request; `stricter` names the rule of ours that it may break, all others break rules that both know. */
interface Change {
  stricter?: string;
  apply(sent: Sent): Sent;
}

type Tree = Record<string, unknown>;

const JSON_TYPE = { 'content-type': 'application/json' };
const id = ORDER.id;
const create: Sent = { method: 'POST', target: '/orders', headers: JSON_TYPE, body: JSON.stringify(ORDER) };
const replace = (body: unknown): Sent => ({
  method: 'PUT',
  target: `/orders/${id}?notify=true`,
  headers: { ...JSON_TYPE, 'x-revision': '3' },
  body: JSON.stringify(body),
});

const GOOD: readonly Sent[] = [
  create,
  replace({ note: 'Please ring twice.' }),
  replace({ lines: ORDER.lines.slice(0, 2) }),
  { method: 'GET', target: '/tenants/acme/orders?limit=20&offset=40&order=created' },
  { method: 'GET', target: '/tenants/acme-2/orders' },
  { method: 'GET', target: `/orders/${id}?full=false` },
];

const withBody = (sent: Sent, change: (body: string) => string): Sent =>
  sent.body === undefined ? sent : { ...sent, body: change(sent.body) };
const rewritten = (change: (tree: Tree) => unknown) => (sent: Sent) =>
  withBody(sent, (body) => {
    const tree = readTree(body);
    return tree === undefined ? body : JSON.stringify(change(tree));
  });

function readTree(body: string): Tree | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : undefined;
  } catch {
    return undefined;
  }
}

const WRONG = [
  null,
  0,
  1,
  -1,
  1.5,
  1001,
  'x',
  '',
  true,
  [],
  {},
  [null],
  'a'.repeat(301),
  '19',
  ['urgent'],
  [ORDER.lines[0]],
];
const MEMBERS = ['id', 'customer', 'lines', 'tags', 'note', 'unknown', 'constructor', 'toString'];
const LINE_MEMBERS = ['sku', 'quantity', 'price', 'remark', 'unknown'];

const setMember = fc
  .tuple(fc.constantFrom(...MEMBERS), fc.constantFrom(...WRONG))
  .map(([name, value]): Change => ({ apply: rewritten((tree) => ({ ...tree, [name]: value })) }));
const dropMember = fc
  .constantFrom(...MEMBERS)
  .map((name): Change => ({ apply: rewritten(({ [name]: _, ...rest }) => rest) }));
const setInLine = fc.tuple(fc.constantFrom(...LINE_MEMBERS), fc.constantFrom(...WRONG)).map(
  ([name, value]): Change => ({
    apply: rewritten((tree) =>
      Array.isArray(tree.lines) ? { ...tree, lines: [{ ...tree.lines[0], [name]: value }] } : tree,
    ),
  }),
);
const BODIES = ['', ' ', '[]', '{}', 'null', '"text"', '17', '{', '{"note":"a"', "{'note':'a'}", '{"note":"a"}x'];
const setBody = fc.constantFrom(...BODIES).map((body): Change => ({ apply: (sent) => withBody(sent, () => body) }));

const NUMBERS = [
  '0',
  '1',
  '100',
  '101',
  '-1',
  '1.5',
  '1e2',
  '0x10',
  '+5',
  '05',
  ' 5',
  '5 ',
  '',
  'x',
  'true',
  '1e400',
  '99999999999999999999',
];
const QUERY_NAMES = ['limit', 'offset', 'order', 'notify', 'full', 'unknown', 'LIMIT', 'limit[]'];
const QUERY_VALUES = [...NUMBERS, 'created', 'CREATED', 'false', '%7B%7D', 'a%20b'];
const addQuery = fc.tuple(fc.constantFrom(...QUERY_NAMES), fc.constantFrom(...QUERY_VALUES)).map(
  ([name, value]): Change => ({
    apply: (sent) => ({
      ...sent,
      target: `${sent.target}${sent.target.includes('?') ? '&' : '?'}${name}=${value.replaceAll(' ', '%20')}`,
    }),
  }),
);
const setRevision = fc
  .constantFrom(...NUMBERS)
  .map(
    (value): Change => ({ apply: (sent) => ({ ...sent, headers: { ...sent.headers, 'x-revision': value.trim() } }) }),
  );
const TENANTS = ['a', 'A_b-9', 'a.b', 'a%20b', '%61', 'a%2Fb', 'ä', 'x'.repeat(64), 'x'.repeat(65)];
const setTenant = fc.constantFrom(...TENANTS).map(
  (tenant): Change => ({
    apply: (sent) => ({ ...sent, target: sent.target.replace('/acme/', `/${encodeURI(decodeURI(tenant))}/`) }),
  }),
);
const ORDER_IDS = [id.toUpperCase(), id.slice(1), `${id}0`, 'x', `urn:uuid:${id}`];
const setOrder = fc
  .constantFrom(...ORDER_IDS)
  .map((order): Change => ({ apply: (sent) => ({ ...sent, target: sent.target.replace(id, order) }) }));
const PATHS = [
  '/ORDERS',
  '/Tenants/acme/orders',
  '/',
  '/order',
  '/orders/x/y',
  '/tenants',
  '/tenants//orders',
  '/tenants/acme/orders/x',
  '/constructor',
];
const setPath = fc.constantFrom(...PATHS).map((target): Change => ({ apply: (sent) => ({ ...sent, target }) }));
const setMethod = fc
  .constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH')
  .map((method): Change => ({ apply: (sent) => ({ ...sent, method }) }));

const stricterBody = (stricter: string, body: string): Change => ({
  stricter,
  apply: (sent) => withBody(sent, () => body),
});

/** What decisions and the documentation demand beyond the document. */
const STRICTER: readonly Change[] = [
  stricterBody('duplicate members', '{"note":"a","note":"b"}'),
  stricterBody('duplicate members', JSON.stringify(ORDER).replace('"quantity":1', '"quantity":1,"quantity":2')),
  stricterBody('byte order mark', '\ufeff{"note":"a"}'),
  { stricter: 'trailing slash', apply: (sent) => ({ ...sent, target: '/orders/' }) },
  { stricter: 'doubled slash', apply: (sent) => ({ ...sent, target: '/orders//' }) },
  stricterBody('__proto__', '{"note":"a","__proto__":{}}'),
  {
    stricter: 'media type',
    apply: (sent) => ({ ...sent, headers: { ...sent.headers, 'content-type': 'application/vnd.api+json' } }),
  },
  {
    stricter: 'media type',
    apply: (sent) => ({ ...sent, headers: { ...sent.headers, 'content-type': 'text/plain' } }),
  },
  { stricter: 'broken percent-encoding', apply: (sent) => ({ ...sent, target: `${sent.target}?order=%zz` }) },
];

const change = fc.oneof(
  setMember,
  dropMember,
  setInLine,
  setBody,
  addQuery,
  setRevision,
  setTenant,
  setOrder,
  setPath,
  setMethod,
  { arbitrary: fc.constantFrom(...STRICTER), weight: 1 },
);

const request = fc.tuple(fc.constantFrom(...GOOD), fc.array(change, { maxLength: 2 })).map(
  ([sent, changes]): Made => ({
    sent: changes.reduce((now, { apply }) => apply(now), sent),
    stricter: changes.flatMap(({ stricter }) => stricter ?? []),
  }),
);

/** The same `count` requests each time. */
export const makeRequests = (count: number): Made[] => fc.sample(request, { numRuns: count, seed: 20_260_101 });
