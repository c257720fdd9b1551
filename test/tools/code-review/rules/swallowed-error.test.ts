import { ruleCases } from "../cases.ts";

ruleCases("swallowed-error", {
  javascript: {
    must: [
      "try { a(); } catch (e) {}",
      "p.catch(() => {});",
      "try { run(); } catch (error) {}",
      "try {\n  run();\n} catch {«here»\n}",
      "promise.catch(() => {})",
      "promise.catch(function () {});",
    ],
    mustNot: [
      "try { a(); } catch (e) { log(e); }",
      "try { run(); } catch (error) { log(error); }",
      "try { run(); } catch { /* the file may be gone already */ }",
      "try {\n  run();\n} catch {\n  // there is none yet\n}",
      "promise.catch(() => undefined)",
      "promise.catch((error) => report(error))",
    ],
  },
  python: {
    must: [
      "try:\n    a()\nexcept Exception:\n    pass",
      "try:\n    a()\nexcept:\n    pass",
      "try:\n    run()\nexcept Exception:«here»\n    pass",
      "try:\n    run()\nexcept:\n    pass",
    ],
    mustNot: [
      "try:\n    a()\nexcept KeyError:\n    log()",
      "try:\n    run()\nexcept Exception as error:\n    log(error)",
      "try:\n    import fast\nexcept ImportError:\n    pass",
      "try:\n    run()\nexcept Exception:\n    # the peer may be gone\n    pass",
      "for x in xs:\n    pass",
    ],
  },
  go: {
    must: ["if err != nil {\n}", "_ = err"],
    mustNot: [
      "if err != nil {\n\treturn err\n}",
      "if err != nil {\n\t// the file may be gone\n}",
      "_ = value",
    ],
  },
  java: {
    must: ["try { run(); } catch (IOException e) {}", "try {\n  run();\n} catch (Exception e) {«here»\n}"],
    mustNot: [
      "try { run(); } catch (IOException e) { log.warn(e); }",
      "try { sleep(); } catch (InterruptedException e) {}",
    ],
  },
  ruby: {
    must: [
      "begin\n  run\nrescue StandardError«here»\nend",
      "value = run rescue nil",
      "begin\n  run\nrescue => error\n  nil\nend",
    ],
    mustNot: [
      "begin\n  run\nrescue StandardError => error\n  log(error)\nend",
      "begin\n  run\nrescue KeyError\nend",
    ],
  },
  php: {
    must: ["<?php\ntry { run(); } catch (Exception $e) {}"],
    mustNot: ["<?php\ntry { run(); } catch (Exception $e) { error_log($e); }"],
  },
  cpp: {
    must: ["try { run(); } catch (...) {}"],
    mustNot: ["try { run(); } catch (const std::exception& error) { log(error); }"],
  },
  csharp: {
    must: ["try { Run(); } catch (Exception) { }", "try { Run(); } catch { }"],
    mustNot: [
      "try { Run(); } catch (Exception e) { Log(e); }",
      "try { Run(); } catch (OperationCanceledException) { }",
    ],
  },
  rust: {
    must: [
      "file.write_all(data).ok();",
      "match run() {\n  Ok(value) => use_it(value),\n  Err(_) => {},«here»\n}",
    ],
    mustNot: [
      "let value = run().ok();",
      "match run() {\n  Ok(value) => value,\n  Err(error) => return Err(error),\n}",
    ],
  },
});
