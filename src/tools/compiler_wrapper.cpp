#include "tools/compiler_wrapper.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/wrapped_functions.h"

namespace ordeal::tools {
namespace {

namespace fs = std::filesystem;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

// --- flags -----------------------------------------------------------------------------------------------------------------

/// Before the user's flags, which may override them.
Words flags_before(const Compiler& compiler, const Resources& resources) {
  const std::string inside = resources.headers + "/ordeal/inside";
  Words flags;
  if (compiler.family == CompilerFamily::kClang) flags.push_back("--start-no-unused-arguments");  // for assembler, objects …
  flags.push_back("-fexceptions");  // in C: pthread_exit runs the handlers of pthread_cleanup_push
  flags.push_back("-g");            // reports name source lines and variables
  if (compiler.family == CompilerFamily::kClang) flags.push_back("-gdwarf-aranges");  // finds the unit of an address fast
  if (!resources.assembler.empty()) append(flags, {"-B", resources.assembler});  // sees inline assembly
  append(flags, {"-isystem", inside});  // our <bits/atomic_wait.h> before libstdc++'s: wait and notify are one operation each
  if (compiler.family == CompilerFamily::kClang) {
    append(flags, {"-include", inside + "/weak_compare_exchange.h"});  // Clang's code does not tell weak from strong
    flags.push_back("--end-no-unused-arguments");
  }
  return flags;
}

/// Behind the user's flags, so that none of them switches something off.
Words flags_behind(const Compiler& compiler, const Resources& resources) {
  Words flags;
  if (compiler.family == CompilerFamily::kClang) flags.push_back("--start-no-unused-arguments");
  append(flags, {
                    "-D__ORDEAL__=1",     // for <ordeal/ordeal.h>, and for code that wants to know
                    "-fsanitize=thread",  // the instrumentation
                    "-fno-builtin",       // or memcpy, memset, memcmp, strcpy … become instructions that nobody sees
                    "-U_FORTIFY_SOURCE",  // its __memcpy_chk … would be unseen too
                    "-idirafter", resources.headers,  // <ordeal/ordeal.h>
                });
  if (compiler.family == CompilerFamily::kGcc) {
    append(flags, {
                      "-U__SANITIZE_THREAD__",  // code that asks shall not take us for ThreadSanitizer …
                      "-D_GLIBCXX_TSAN=1",      // … but shared_ptr must not read two counters of 32 bits as one of 64
                      "-Wno-tsan",              // fences work under Ordeal: no warning that they do not
                      "--param=tsan-distinguish-volatile=1",  // volatile accesses are told apart
                      "-fno-tree-ch",                         // the first turn of a loop stays in it
                  });
  } else {
    append(flags, {
                      "-mllvm", "-tsan-instrument-read-before-write",  // or the read is dropped where a write follows
                      "-mllvm", "-tsan-distinguish-volatile",          // as for GCC
                      "-mllvm", "-rotation-max-header-size=0",         // the first turn of a loop stays in it
                      "-fno-unroll-loops",                             // turns are at the same place in the code
                  });
  }
  if (!resources.assembler.empty()) {
    flags.push_back("-mno-red-zone");  // a call may be put before inline assembly
    if (compiler.family == CompilerFamily::kClang) append(flags, {"-fno-integrated-as", "-Wa,--no-warn"});  // GNU as wonders at some sections
  }
  flags.push_back("-fno-lto");  // GCC drops all instrumentation when it optimises across files
  if (compiler.family == CompilerFamily::kClang) flags.push_back("--end-no-unused-arguments");
  return flags;
}

/// Before all that is linked: the library must be the first that is searched for pthread_create, malloc …, and before any
/// -x LANGUAGE, which would take it for source code. It is needed even if the linker sees no use of it.
Words link_flags_before(const Resources& resources) {
  Words flags{"-Wl,--push-state,--no-as-needed", resources.library, "-Wl,--pop-state"};
  if (!resources.fast_path.empty()) flags.push_back(resources.fast_path);
  return flags;
}

std::string wrap_flags() {
  std::string flags = "-Wl";
#define ORDEAL_WRAP(name) flags += ",--wrap=" #name;
  ORDEAL_WRAPPED_FUNCTIONS(ORDEAL_WRAP)
#undef ORDEAL_WRAP
  return flags;
}

Words link_flags_behind(const Resources& resources) {
  return {
      "-Wl,-z,now",  // no symbol is looked up during an execution
      "-Xlinker", "-rpath", "-Xlinker", fs::path(resources.library).parent_path().string(),  // where the library is
      wrap_flags(),  // mem… and str… functions go through the runtime
      "-lpthread",
      "-fno-lto",  // as above
  };
}

// --- a command that compiles and links --------------------------------------------------------------------------------------

std::string output_of(const CompilerArguments& arguments) {
  std::string output;
  for (const Argument& argument : arguments.all)
    if (argument.role == Role::kOutput) output = argument.value;
  return output;
}

/// -MD and -MMD name their file and its target after the output, which is a temporary object now: name them as the compiler
/// would have done. `is_only`: there is one source.
Words dependency_flags(const CompilerArguments& arguments, const Argument& source, bool is_only) {
  const auto has = [&](std::string_view flag) {
    return std::any_of(arguments.all.begin(), arguments.all.end(),
                       [&](const Argument& argument) { return argument.words.front() == flag; });
  };
  if (!has("-MD") && !has("-MMD")) return {};
  const std::string stem = fs::path(source.words.front()).stem().string();
  const std::string output = output_of(arguments);
  Words flags;
  if (!has("-MF")) {
    const std::string start = output.empty() ? "a" : fs::path(output).replace_extension().string();
    append(flags, {"-MF", output.empty() || !is_only ? start + "-" + stem + ".d" : start + ".d"});
  }
  if (!has("-MT") && !has("-MQ")) append(flags, {"-MQ", output.empty() ? stem + ".o" : output});
  return flags;
}

Words compilation(const CompilerArguments& arguments, const Argument& source, const std::string& object, bool is_only,
                  const Compiler& compiler, const Resources& resources) {
  Words words = compiler.command;
  append(words, flags_before(compiler, resources));
  for (const Argument& argument : arguments.all)
    if (argument.role == Role::kOther && argument.words.front() != "-gsplit-dwarf") append(words, argument.words);
  append(words, dependency_flags(arguments, source, is_only));
  if (!source.language.empty()) append(words, {"-x", source.language});
  append(words, {"-c", source.words.front(), "-o", object});
  if (compiler.family == CompilerFamily::kClang) words.push_back("-Wno-unused-command-line-argument");  // -pie, -L…
  append(words, flags_behind(compiler, resources));
  return words;
}

CompilerPlan compile_then_link(const CompilerArguments& arguments, const Compiler& compiler, const Resources& resources,
                               const std::string& temporary) {
  CompilerPlan plan;
  const auto sources = std::count_if(arguments.all.begin(), arguments.all.end(), is_source);
  Words& link = plan.last = compiler.command;
  append(link, link_flags_before(resources));
  for (const Argument& argument : arguments.all) {
    if (is_source(argument)) {
      const std::string object = fmt::format("{}/{}.o", temporary, plan.compilations.size());
      plan.compilations.push_back(compilation(arguments, argument, object, sources == 1, compiler, resources));
      link.push_back(object);
    } else if (argument.role != Role::kLanguage) {
      append(link, argument.words);
    }
  }
  if (compiler.family == CompilerFamily::kClang) link.push_back("-Wno-unused-command-line-argument");
  append(link, link_flags_behind(resources));
  plan.links = true;
  return plan;
}

}  // namespace

CompilerPlan plan(const Words& arguments, const Compiler& compiler, const Resources& resources, const std::string& temporary) {
  const CompilerArguments understood = understand(with_response_files(arguments));
  CompilerPlan plan;
  plan.refusal = understood.refusal;
  const bool has_source = std::any_of(understood.all.begin(), understood.all.end(), is_source);
  const bool links = understood.goal == Goal::kLink;
  if (!plan.refusal.empty()) return plan;
  if (links && has_source) return compile_then_link(understood, compiler, resources, temporary);
  const bool compiles = understood.goal == Goal::kCompile || (understood.goal == Goal::kJoin && has_source);
  plan.last = compiler.command;
  if (compiles) append(plan.last, flags_before(compiler, resources));
  if (links) append(plan.last, link_flags_before(resources));
  append(plan.last, arguments);
  if (compiles) append(plan.last, flags_behind(compiler, resources));
  if (links) append(plan.last, link_flags_behind(resources));
  plan.links = links;
  return plan;
}

}  // namespace ordeal::tools
