import { ruleCases } from "../cases.ts";

ruleCases("debug-leftover", {
  javascript: {
    must: [
      "debugger;",
      "console.log(user)",
      "console.log('here')",
      "console.log('user', user);",
      "console.log(`user ${user.id}`);",
      "console.table(rows)",
      "console.trace()",
      "alert('works')",
      "console.debug(value)",
    ],
    mustNot: [
      "console.error('failed', error)",
      "console.warn('old option')",
      "console.log('Server listening on port 80')",
      "console.log(`Found ${count} files`)",
      "} catch (error) {\n  console.log('could not read', error);\n}",
      "// console.log(user)",
      "logger.debug(user)",
      "const debuggerUrl = debugger_url;",
      "console.log(report); // eslint-disable-line no-console",
    ],
  },
  python: {
    must: [
      "breakpoint()",
      "import pdb; pdb.set_trace()",
      "print('here')",
      "print('>>>', value)",
      "print(f'{value=}')",
      "app.run(debug=True)",
      "DEBUG = True",
      "ic(value)",
    ],
    mustNot: ["print('Done in 3 s')", "DEBUG = False", "app.run()", "# breakpoint()", "logging.debug(value)"],
  },
  go: {
    must: ["spew.Dump(value)", "println(value)", 'fmt.Println("here")', "runtime.Breakpoint()"],
    mustNot: [
      'fmt.Println("Usage: app <file>")',
      'log.Printf("listening on %s", address)',
      'fmt.Fprintln(w, "here")',
    ],
  },
  java: {
    must: [
      "error.printStackTrace();",
      'System.out.println("here");',
      "System.out.println(user);",
      "Thread.dumpStack();",
    ],
    mustNot: ['System.out.println("Usage: app <file>");', "logger.debug(user);"],
  },
  ruby: {
    must: ["binding.pry", "byebug", "pp user", 'puts "DEBUG #{user}"', "binding.irb"],
    mustNot: ['puts "Usage: app <file>"', "Rails.logger.info(user)", "# binding.pry"],
  },
  php: {
    must: [
      "<?php\nvar_dump($user);",
      "<?php\ndd($user);",
      "<?php\nprint_r($user);",
      "<?php\nini_set('display_errors', 1);",
      "<?php\nphpinfo();",
    ],
    mustNot: ["<?php\n$text = print_r($user, true);", "<?php\n$log->debug($user);", "<?php\necho $total;"],
  },
  c: {
    must: ['printf("here\\n");', "__debugbreak();", "DebugBreak();"],
    mustNot: ['printf("Usage: %s <file>\\n", argv[0]);', 'fprintf(stderr, "cannot open %s\\n", path);'],
  },
  cpp: {
    must: ["qDebug() << value;", "__debugbreak();"],
    mustNot: ["qWarning() << value;", "log.debug(value);"],
  },
  csharp: {
    must: ["Debugger.Break();", "System.Diagnostics.Debugger.Launch();", 'Console.WriteLine("here");'],
    mustNot: ['Console.WriteLine("Usage: app <file>");', "logger.LogDebug(user);"],
  },
  rust: {
    must: [
      'println!("{x:?}");',
      'println!("{:?}", x);',
      'println!("x = {x:#?}");',
      "dbg!(value);",
      'println!("{:?}", value);',
    ],
    mustNot: [
      'println!("Wrote the whole of the {name:?} to {path}");',
      'format!("{x:?}");',
      'println!("Usage: app <file>");',
      'tracing::debug!("{:?}", value);',
    ],
  },
  markup: {
    file: "web.config",
    must: ['<compilation debug="true" />', '<customErrors mode="Off" />'],
    mustNot: ['<compilation debug="false" />', '<customErrors mode="RemoteOnly" />'],
  },
});
