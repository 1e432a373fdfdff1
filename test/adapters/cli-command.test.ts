import { expect } from 'chai';
import { colorsFor, plain } from '../../adapters/cli/colors.ts';
import { renderCheck, renderStarted } from '../../adapters/cli/reports.ts';
import { type Commands, runCommand } from '../../adapters/cli/run-command.ts';
import { ConfigurationError } from '../../adapters/config/errors.ts';

interface Run {
  code: number;
  out: string;
  err: string;
  called: string[];
}

async function run(argv: string[], over: Partial<Commands> = {}): Promise<Run> {
  const result: Run = { code: -1, out: '', err: '', called: [] };
  const note = (name: string, code: number) => async (options?: object) => {
    result.called.push(`${name}${options ? JSON.stringify(options) : ''}`);
    return code;
  };
  const commands = {
    version: '1.2.3',
    serve: note('serve', 0),
    demo: note('demo', 0),
    check: note('check', 1),
    reload: note('reload', 0),
    migrate: note('migrate', 0),
    reseal: note('reseal', 1),
    backup: note('backup', 0),
    verify: note('verify', 1),
    restore: note('restore', 0),
    restored: note('restored', 0),
    rotateLoginKey: note('rotateLoginKey', 0),
    rotateEncryptionKey: note('rotateEncryptionKey', 1),
    rotateSignInKeys: note('rotateSignInKeys', 0),
    ...over,
  };
  result.code = await runCommand(argv, commands, {
    out: (text) => {
      result.out += text;
    },
    err: (text) => {
      result.err += text;
    },
  });
  return result;
}

describe('runCommand', () => {
  const commands: [string[], string, number][] = [
    [['serve'], 'serve{"host":"","port":""}', 0],
    [['serve', '--port', '8080', '--host=::1'], 'serve{"host":"::1","port":"8080"}', 0],
    [['check'], 'check{"from":""}', 1],
    [['check', '--from', 'other/config'], 'check{"from":"other/config"}', 1],
    [['reload', '--pid', '42'], 'reload{"pid":42}', 0],
    [['reseal'], 'reseal', 1],
    [['backup', 'a.backup'], 'backup{"file":"a.backup"}', 0],
    [['verify', 'a.backup'], 'verify{"file":"a.backup"}', 1],
    [['restore', 'a.backup'], 'restore{"file":"a.backup"}', 0],
    [['restored'], 'restored', 0],
    [['rotate-login-key'], 'rotateLoginKey', 0],
    [['rotate-encryption-key'], 'rotateEncryptionKey', 1],
    [['rotate-sign-in-keys'], 'rotateSignInKeys', 0],
    [['demo'], 'demo{"keep":false,"kms":""}', 0],
    [['demo', '--keep'], 'demo{"keep":true,"kms":""}', 0],
    [['--keep', 'demo', '--kms', 'kmsb'], 'demo{"keep":true,"kms":"kmsb"}', 0],
    [['migrate', '--from', 'sqlite:a', '--to=redis://h:1'], 'migrate{"from":"sqlite:a","to":"redis://h:1"}', 0],
  ];
  for (const [argv, called, code] of commands)
    it(`${argv.join(' ')}: runs it and returns its exit code`, async () => {
      expect(await run(argv)).to.deep.equal({ code, out: '', err: '', called: [called] });
    });

  const wrong = [
    [],
    ['start'],
    ['serve', 'more'],
    ['serve', '--keep'],
    ['serve', '--port'],
    ['check', '--port', '8080'],
    ['demo', '--host', '::1'],
    ['check', '--kms', 'kmsa'],
    ['serve', '--from', 'sqlite:a', '--to', 'sqlite:b'],
    ['reload'],
    ['reload', '--pid', '0'],
    ['reload', '--pid', '4x'],
    ['check', '--pid', '42'],
    ['migrate'],
    ['migrate', '--from', 'sqlite:a'],
    ['migrate', '--from', '--to', 'sqlite:a'],
    ['reseal', '--from', 'sqlite:a', '--to', 'sqlite:b'],
    ['rotate-login-key', 'issuer'],
    ['rotateLoginKey'],
    ['--unknown'],
    ['demo', '--keep=yes'],
    ['toString'],
    [''],
  ];
  for (const argv of wrong)
    it(`${JSON.stringify(argv)}: writes the usage to standard error, exit code 2`, async () => {
      const { code, out, err, called } = await run(argv);
      expect({ code, out, called }).to.deep.equal({ code: 2, out: '', called: [] });
      expect(err).to.match(/^credenza: .+\n\nUsage: credenza/);
    });

  for (const argv of [['help'], ['--help'], ['-h'], ['serve', '--help'], ['--version', '--help']])
    it(`${argv.join(' ')}: shows the usage on standard output`, async () => {
      const { code, out, err, called } = await run(argv);
      expect({ code, err, called }).to.deep.equal({ code: 0, err: '', called: [] });
      for (const word of ['serve', '--port', 'demo', '--keep', 'check', 'CREDENZA_CONFIG_DIR', 'HOST'])
        expect(out).to.include(word);
    });

  for (const argv of [['version'], ['--version'], ['-v']])
    it(`${argv.join(' ')}: shows the version alone`, async () => {
      expect(await run(argv)).to.deep.equal({ code: 0, out: '1.2.3\n', err: '', called: [] });
    });

  it('writes the error of a failed command to standard error, exit code 1', async () => {
    const demo = () => Promise.reject(new Error('POST /x answered 500'));
    expect(await run(['demo'], { demo })).to.deep.include({ code: 1, err: 'credenza: POST /x answered 500\n' });
  });
});

describe('colorsFor', () => {
  const cases: [string, boolean | undefined, Record<string, string>, boolean][] = [
    ['on a terminal', true, {}, true],
    ['not in a pipe', undefined, {}, false],
    ['in a pipe with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
    ['not on a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
    ['not on a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['not with both', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['on a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
  ];
  for (const [when, isTTY, environment, coloured] of cases)
    it(`colours ${when}`, () => {
      const text = colorsFor({ isTTY }, environment)('good', 'fine');
      expect(text).to.equal(coloured ? '\u001b[32mfine\u001b[39m' : 'fine');
    });
});

describe('reports', () => {
  const facts = {
    services: ['wallet', 'issuer'],
    features: [],
    store: 'sqlite in /srv/data',
    configDir: '/srv/config',
    files: ['/srv/config/auth.conf', '/srv/config/store.conf'],
    warnings: ['trustedca.conf is not read'],
  };

  it('a start lists its address, the API page and what is enabled', () => {
    const text = renderStarted({ ...facts, version: '1.2.3', url: 'http://127.0.0.1:7001', isTerminal: false }, plain);
    expect(text.split('\n')).to.deep.equal([
      'Credenza 1.2.3',
      '  Listening on     http://127.0.0.1:7001',
      '  API page         http://127.0.0.1:7001/docs (document: http://127.0.0.1:7001/api.json)',
      '  Services         wallet, issuer',
      '  Features         none',
      '  Store            sqlite in /srv/data',
      '  Configuration    /srv/config (auth.conf, store.conf)',
      '  Warning          trustedca.conf is not read',
      '',
    ]);
  });

  it('a start on a terminal names the portal and the demo', () => {
    const services = ['portal', 'issuer'];
    const text = renderStarted({ ...facts, services, version: '1.2.3', url: 'http://a:1', isTerminal: true }, plain);
    expect(text)
      .to.match(/Portal +http:\/\/a:1\/\n/)
      .and.match(/npm run demo/);
  });

  it('check lists what a valid configuration enables, exit code 0', () => {
    const { text, exitCode } = renderCheck({ ...facts, features: ['trusted-ca'], files: [] }, plain);
    expect(exitCode).to.equal(0);
    expect(text).to.include('The configuration is valid.').and.include('trusted-ca').and.include('no files');
  });

  it('check lists every problem, exit code 1', () => {
    const error = new ConfigurationError([
      { file: 'auth.conf', field: 'x5c.replay', message: 'must be one of a, b' },
      { file: 'store.conf', field: '', message: 'line 2: this is not valid HOCON' },
    ]);
    const { text, exitCode } = renderCheck(error, plain);
    expect(exitCode).to.equal(1);
    expect(text.split('\n')).to.deep.equal([
      'The configuration has 2 problems.',
      '  auth.conf x5c.replay: must be one of a, b',
      '  store.conf: line 2: this is not valid HOCON',
      '',
    ]);
  });
});
