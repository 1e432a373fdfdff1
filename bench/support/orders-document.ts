/** How many operations the documents of the edge have by default: about what ours have together. */
export const USUAL_SIZE = 60;

/** The body that is posted, about 1 KB. */
export const ORDER = {
  id: '3f0c1a52-8a7e-4a55-9c1e-0f6f6f1f2a10',
  customer: { name: 'Maria Musterfrau', email: 'maria@example.com', address: 'Lange Straße 12, 10115 Berlin' },
  lines: Array.from({ length: 9 }, (_, line) => ({
    sku: `SKU-${1000 + line}`,
    quantity: line + 1,
    price: 19.95 + line,
    remark: 'As offered in April',
  })),
  tags: ['urgent', 'gift'],
  note: 'Please ring twice.',
};

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const closed = (required: string[], properties: Record<string, unknown>) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

const LINE = closed(['sku', 'quantity', 'price'], {
  sku: { type: 'string', pattern: '^[A-Z]{2,8}-[0-9]{1,8}$' },
  quantity: { type: 'integer', minimum: 1, maximum: 1000 },
  price: { type: 'number', minimum: 0 },
  remark: text(200),
});

/** What an order has to look like. */
export const ORDER_SCHEMA = closed(['id', 'customer', 'lines'], {
  id: { type: 'string', format: 'uuid' },
  customer: closed(['name', 'email'], {
    name: text(100),
    email: { type: 'string', format: 'email', maxLength: 254 },
    address: text(300),
  }),
  lines: { type: 'array', minItems: 1, maxItems: 100, items: LINE },
  tags: { type: 'array', maxItems: 10, items: { type: 'string', enum: ['urgent', 'gift', 'fragile'] } },
  note: text(1000),
});

const OK = { 200: { description: 'Done.', content: { 'application/json': { schema: { type: 'object' } } } } };
const inPath = (name: string, schema: unknown) => ({ name, in: 'path', required: true, schema });
const inQuery = (name: string, schema: unknown) => ({ name, in: 'query', schema });
const jsonBody = (schema: unknown) => ({ required: true, content: { 'application/json': { schema } } });

const createOrder = { operationId: 'createOrder', requestBody: jsonBody(ORDER_SCHEMA), responses: OK };

const listOrders = {
  operationId: 'listOrders',
  parameters: [
    inPath('tenant', { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    inQuery('limit', { type: 'integer', minimum: 1, maximum: 100 }),
    inQuery('offset', { type: 'integer', minimum: 0 }),
    inQuery('order', { type: 'string', enum: ['created', 'updated', 'id'] }),
  ],
  responses: OK,
};

const changeOrder = {
  operationId: 'changeOrder',
  parameters: [
    inPath('order', { type: 'string', format: 'uuid' }),
    inQuery('notify', { type: 'boolean' }),
    { name: 'X-Revision', in: 'header', required: true, schema: { type: 'integer', minimum: 1 } },
  ],
  requestBody: jsonBody({
    oneOf: [
      closed(['note'], { note: text(1000) }),
      closed(['lines'], { lines: { type: 'array', minItems: 1, maxItems: 100, items: LINE } }),
    ],
  }),
  responses: OK,
};

const showOrder = {
  operationId: 'showOrder',
  parameters: [inPath('order', { type: 'string', format: 'uuid' }), inQuery('full', { type: 'boolean' })],
  responses: OK,
};

/** An operation that only makes the document longer. */
function filler(number: number): Record<string, unknown> {
  const operation = {
    operationId: `filler${number}`,
    parameters: [inPath('id', text(64)), inQuery('limit', { type: 'integer', minimum: 1 })],
    responses: OK,
  };
  return number % 2 === 0
    ? { get: operation }
    : {
        post: { ...operation, requestBody: jsonBody(closed(['name'], { name: text(100), size: { type: 'integer' } })) },
      };
}

/**
 * A document of `size` operations in what OpenAPI 3.0 and 3.1 have in common. The list is last, where a search in
 * the order of the document finds it latest, and the posted path in the middle.
 */
export function benchDocument(size: number, openapi: '3.0.3' | '3.1.0') {
  const fillers = Array.from({ length: size - 4 }, (_, number) => [
    number % 3 === 0 ? `/area-${number}/things/{id}` : `/area-${number}/{id}/parts`,
    filler(number),
  ]);
  const middle = Math.floor(fillers.length / 2);
  const paths: Record<string, Record<string, unknown>> = Object.fromEntries([
    ...fillers.slice(0, middle),
    ['/orders', { post: createOrder }],
    ['/orders/{order}', { get: showOrder, put: changeOrder }],
    ...fillers.slice(middle),
    ['/tenants/{tenant}/orders', { get: listOrders }],
  ]);
  return { openapi, info: { title: 'Orders', version: '1.0.0' }, paths };
}

/** The document as the build would join it, as the one document `bench`. */
export function joinedBenchDocument(size: number) {
  const document = benchDocument(size, '3.1.0');
  const parts = { bench: { operations: operationIds(document), components: [] } };
  const texts = operationsOf(document).map((operation) => [
    operation.operationId,
    JSON.stringify({ parameters: [], ...operation }),
  ]);
  const built = { 'x-documents': parts, 'x-resolved': Object.fromEntries(texts) };
  return { ...document, servers: [], tags: [], components: {}, ...built };
}

const operationsOf = ({ paths }: ReturnType<typeof benchDocument>): { operationId: string }[] =>
  Object.values(paths).flatMap((item) => Object.values(item) as { operationId: string }[]);

/** The ids of all operations of a document. */
export const operationIds = (document: ReturnType<typeof benchDocument>): string[] =>
  operationsOf(document).map(({ operationId }) => operationId);
