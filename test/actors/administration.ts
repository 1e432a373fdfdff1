import { expect } from 'chai';
import type { Call } from '../support/servers/server.ts';
import { asForm, type EnterpriseFixture, fieldsOf, may, oversized } from './tenant.ts';

/** The tests of an operation that needs full control of its target: who only sees it is refused, and who does not finds nothing. */
export const needControl =
  (world: () => EnterpriseFixture) =>
  (operationId: string, call: Call): void => {
    it('403 and 404: without full control of the target, and where nothing is', async () => {
      const { server, root, member } = world();
      const { token } = await member([may('acme.t1', 'resource-view')]);
      const at = async (target: string, caller: string) =>
        (await server.call(operationId, { ...call, path: { ...call.path, target }, token: caller })).status;
      expect(await at('acme.t1', token)).to.equal(403);
      expect(await at('other', token)).to.equal(404);
      expect(await at('acme.absent', root)).to.equal(404);
    });

    refusesAsEvery(operationId, { world, call });
  };

/** The tests that an operation with a login has in common with others; `call` is a well-formed one. */
export function refusesAsEvery(operationId: string, { world, call }: { world: () => EnterpriseFixture; call: Call }) {
  const send = (more: Call) => world().server.call(operationId, { ...call, token: world().root, ...more });

  it('400: refuses a parameter that is not documented', async () => {
    expect(fieldsOf(await send({ query: { ...call.query, surprise: '1' } }))).to.include('/query/surprise');
  });

  it('401: without a login', async () => {
    expect((await send({ token: 'nothing' })).status).to.equal(401);
  });

  if (call.json === undefined) return;
  const { json: _, ...bare } = call;

  it('413: refuses a body over 1 MiB', async () => {
    const answer = await world().server.call(operationId, { ...bare, ...oversized, token: world().root });
    expect(answer.status).to.equal(413);
  });

  it('415: refuses other media types', async () => {
    expect((await world().server.call(operationId, { ...bare, ...asForm, token: world().root })).status).to.equal(415);
  });
}

/** The id of an account that does not exist. */
export const NO_ACCOUNT = '00000000-0000-4000-8000-000000000000';

/** The bytes of a secret in base32 (RFC 4648 §6). */
export function secretOf(text: string): Uint8Array {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Uint8Array.from(bits.join('').match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2));
}
