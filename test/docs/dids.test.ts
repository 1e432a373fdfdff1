import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DidRegistrar } from '../../domain/dids/did-registrar.ts';
import type { OutboundRequest } from '../../ports/outbound.ts';
import { localKeys } from '../support/keys/local-keys.ts';

const text = readFileSync('docs/dids.md', 'utf8');
const examples = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json));

/** RFC 8037 appendix A.1. */
const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

describe('docs/dids.md', () => {
  it('shows the calls to a registrar as they are sent, byte for byte but for spaces', async () => {
    const [first, asked, second, registered] = examples;
    const sent: OutboundRequest[] = [];
    const send = async (request: OutboundRequest) => {
      sent.push(request);
      const body = Buffer.from(JSON.stringify(sent.length === 1 ? asked : registered));
      return { status: 200, headers: {}, body };
    };
    const settings = {
      url: 'https://registrar.example.org/1.0',
      methods: ['cheqd'],
      keyTypes: ['Ed25519'],
      timeoutSeconds: 15,
    };
    const registrar = new DidRegistrar({
      outbound: { check: () => {}, send },
      ids: { uuid: () => 'f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44' },
      settings: { didRegistrar: settings },
    });
    const { backends } = localKeys();
    const reference = await backends.read({ type: 'jwk', jwk: JWK });
    const createDid = registrar.prepare({ method: 'cheqd', keyType: 'Ed25519', config: { network: 'testnet' } });
    const created = await createDid({ publicJwk: reference.publicJwk, signer: () => backends.signer(reference) });
    expect(sent.map(({ url }) => url)).to.deep.equal(Array(2).fill(`${settings.url}/create?method=cheqd`));
    expect(sent.map(({ body }) => body)).to.deep.equal([first, second].map((example) => JSON.stringify(example)));
    expect(created).to.deep.equal({ did: registered.didState.did, document: first.didDocument });
  });
});
